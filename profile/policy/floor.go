package policy

import "slices"

// over is what is asked under the organisation's floor: for each key that the floor gives, the
// stricter of the two values (design section 9).
func (f Floor) over(d Demands) Demands {
	for _, of := range demands {
		if !slices.Contains(f.Keys, of.key) || of.atLeast(d, f.Demands) {
			continue
		}
		level := d.Level.Join(f.Demands.Level)
		if of.set(&d, &f.Demands); of.key == "level" {
			d.Level = level
		}
	}
	return d
}

// raises reports whether the floor decides the value of a key.
func (f Floor) raises(key string, without Demands, mode string) bool {
	if !slices.Contains(f.Keys, key) {
		return false
	}
	if key == "mode" {
		return f.Mode == Enforce && mode == Report
	}
	return slices.ContainsFunc(demands, func(of demand) bool { return of.key == key && !of.atLeast(without, f.Demands) })
}

// Under is a level that a task asks for, under the organisation's floor.
func (f Floor) Under(l Level) Level {
	if slices.Contains(f.Keys, "level") {
		return l.Join(f.Demands.Level)
	}
	return l
}

// Binds reports whether the floor asks for a level, so that a repository's own file cannot leave pull
// requests unjudged: an exemption would lower what is asked to nothing.
func (f Floor) Binds() bool {
	return slices.Contains(f.Keys, "level") && f.Demands.Level != LevelOff
}

// underFloor takes back what a repository's own file says about whose word counts and whether a task
// is needed, where that would empty the floor of its meaning: maintainers have the default's
// permission at least, acceptances are a maintainer's, and without checks of the policy's own a task
// is required.
func (p Policy) underFloor() Policy {
	d := Default()
	if least := d.Roles.Maintainers.Permission; !atLeast(p.Roles.Maintainers.Permission, least) {
		p.Roles.Maintainers.Permission = least
	}
	if p.ContractChanges == Anyone {
		p.ContractChanges = d.ContractChanges
	}
	p.Tasks.Require = p.Tasks.Require || len(p.Contract()) == 0
	return p
}
