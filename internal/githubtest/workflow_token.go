package githubtest

// AddWorkflowToken makes a token as GitHub gives each job of a workflow (GITHUB_TOKEN): for one
// repository, with the permissions that the workflow grants, such as {"issues": "read"}.
// The repository must not be one that the app is kept off (NotInstalled).
func (w *World) AddWorkflowToken(token string, r *Repository, permissions map[string]string) {
	w.change(func() {
		actions := &Installation{
			world: w, id: w.nextID("installation"), account: r.owner, createdAt: w.now(),
			permissions: map[string]string{"metadata": "read"}, selected: map[int64]bool{r.id: true}, budget: newBudget(w.limit),
		}
		for name, level := range permissions {
			actions.permissions[name] = level
		}
		w.tokens[token] = &grant{installation: actions, budget: actions.budget}
	})
}
