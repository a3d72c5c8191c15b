package verify

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/evidence-gate/evidence-gate/internal/growth"
)

// The tokens are made up from parts, so that nobody who looks for leaked ones finds this file.
func made(prefix string, n int) string { return prefix + strings.Repeat("Ab3", n/3+1)[:n] }

func TestTokenShapes(t *testing.T) {
	t.Parallel()
	for _, token := range []string{
		made("ghp_", 36), made("gho_", 36), made("ghu_", 36), made("ghs_", 36), made("ghr_", 36), made("github_pat_", 82), made("glpat-", 20),
		made("npm_", 36), made("pypi-", 120), made("hf_", 34), made("xoxb-", 40), made("AIza", 35), made("sk-", 48), made("sk-proj-", 60), made("sk_live_", 24),
		"AKIA" + strings.Repeat("Z", 16), made("SG.", 22) + "." + made("", 43), "dop_v1_" + strings.Repeat("0a", 32),
		made("eyJ", 30) + "." + made("eyJ", 50) + "." + made("", 43),
		"-----BEGIN RSA PRIVATE KEY-----\n" + strings.Repeat(made("", 64)+"\n", 20) + "-----END RSA PRIVATE KEY-----",
		"-----BEGIN OPENSSH PRIVATE KEY-----\n" + made("", 64), // without its end
	} {
		require.Equal(t, "a "+masked, masker{}.text("a "+token), token)
		if !strings.Contains(token, "BEGIN OPENSSH") {
			require.Equal(t, `{"t":"`+masked+"\"}\nmore", masker{}.text(`{"t":"`+token+"\"}\nmore"), token)
		}
	}
	for text, want := range map[string]string{
		"Authorization: Bearer " + made("", 30):       "Authorization: Bearer ***",
		"authorization: Basic " + made("", 12) + "==": "authorization: Basic ***",
		"git clone https://eng:sekrit@example.com/x":  "git clone https://eng:***@example.com/x",
		"postgres://app:p%40ss@127.0.0.1:5432/widget": "postgres://app:***@127.0.0.1:5432/widget",
	} {
		require.Equal(t, want, masker{}.text(text))
	}
}

func TestOrdinaryTextStays(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"128 passing, 0 failing", "task-force risk-assessment-of-the-new-design disk-usage", "npm_config_registry", "ghp_short", "eyJ and so on",
		"http://127.0.0.1:8080/a@b", "https://example.com:443/x", "the bearer of bad news", "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----", "AKIA",
		strings.Repeat("0123456789abcdef", 4), // a digest
	} {
		require.Equal(t, text, newMasker([]string{"1", "true", ""}).text(text))
	}
}

func TestKnownValuesAreMasked(t *testing.T) {
	t.Parallel()
	m := newMasker([]string{"hunter22", "line one of it\n  line two of it\r\n", " spaced out ", "hunter"})
	require.Equal(t, "***, ***; ***\n    ***! ***", m.text("hunter22, hunter; line one of it\n    line two of it! spaced out"))
	require.Equal(t, "\x00\xff***\xfe", m.text("\x00\xffhunter22\xfe"))
}

// Of a masked part nothing of a secret is left, wherever it is cut.
func TestPartsHoldNothingOfASecret(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		secret := rapid.StringMatching(`[A-Z]{8,20}`).Draw(t, "secret")
		noise := rapid.StringMatching(`[a-z \n]{0,40}`)
		text := []byte(noise.Draw(t, "before") + secret + noise.Draw(t, "between") + secret + noise.Draw(t, "after"))
		from := rapid.IntRange(0, len(text)).Draw(t, "from")
		to := rapid.IntRange(from, len(text)).Draw(t, "to")
		out := newMasker([]string{secret}).mask(text, from, to)
		require.False(t, bytes.ContainsAny(out, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"), "%q", out)
		plain := strings.ReplaceAll(string(out), masked, "")
		require.LessOrEqual(t, len(plain), to-from)
	})
}

// No output costs more than in proportion to its size.
func TestMaskingIsLinear(t *testing.T) {
	t.Parallel()
	m := newMasker([]string{"secret-value", "aaaaaaaa"})
	meter := growth.NewMeter(func(text string) { m.text(text) }, "GET https://example.com/a?b=ghp_short Bearer x eyJ npm_x\n")
	for _, s := range shapes {
		meter.Check(t, "", s.prefix, "")
		meter.Check(t, s.prefix, "a", "")
		meter.Check(t, "", " "+s.prefix+"aaaa", "")
		meter.Check(t, "", " "+s.prefix+strings.Repeat("a", 60), "")
	}
	for _, unit := range []string{"a", "://a:", "://:@", "://a:a@", "-----BEGIN PRIVATE KEY-----", "-----BEGIN A ", " eyJaaaaaaaaaaa.", "\n"} {
		meter.Check(t, "", unit, "")
	}
}

func TestCaptureKeepsBeginningAndEnd(t *testing.T) {
	t.Parallel()
	line := func(n int) string { return fmt.Sprintf("%09d\n", n) }
	for _, total := range []int{0, 1, 5_000, (keptHead + keptTail) / 10, (headSize+tailSize)/10 - 1, (headSize+tailSize)/10 + 1, 300_000} {
		for _, chunk := range []int{7, 4_096, 64 << 10, 3 << 20} {
			var whole bytes.Buffer
			for n := range total {
				whole.WriteString(line(n))
			}
			var c capture
			for rest := whole.Bytes(); len(rest) > 0; {
				n, err := c.Write(rest[:min(chunk, len(rest))])
				require.NoError(t, err)
				rest = rest[n:]
			}
			require.Equal(t, string(whole.Bytes()[max(0, whole.Len()-1_000):]), string(c.last(1_000)))
			text, size := c.finish(masker{})
			require.EqualValues(t, whole.Len(), size)
			if whole.Len() <= headSize+tailSize {
				require.Equal(t, whole.String(), string(text))
				continue
			}
			head, rest, found := strings.Cut(string(text), "\n[")
			require.True(t, found)
			notice, tail, found := strings.Cut(rest, " bytes of output left out here]\n")
			require.True(t, found)
			require.Equal(t, whole.String()[:keptHead], head)
			require.Equal(t, whole.String()[whole.Len()-keptTail:], tail)
			require.Equal(t, fmt.Sprint(whole.Len()-keptHead-keptTail), notice)
		}
	}
}

// A secret that stands where the output is cut does not show in halves.
func TestSecretsAcrossACut(t *testing.T) {
	t.Parallel()
	secret := "QWERTYUIOPQWERTYUIOP"
	m := newMasker([]string{secret})
	for _, before := range []int{keptHead - 10, keptHead - 19, keptHead - 1} {
		var c capture
		_, _ = c.Write(bytes.Repeat([]byte("."), before))
		_, _ = c.Write([]byte(secret))
		_, _ = c.Write(bytes.Repeat([]byte("."), 3<<20))
		_, _ = c.Write([]byte(secret))
		_, _ = c.Write(bytes.Repeat([]byte("."), keptTail-10))
		text, _ := c.finish(m)
		require.False(t, bytes.ContainsAny(text, "QWERTYUIOP"))
		require.Equal(t, 2, bytes.Count(text, []byte(masked)))
	}
}

func TestLastLine(t *testing.T) {
	t.Parallel()
	m := newMasker([]string{"hunter22"})
	for text, want := range map[string]string{
		"":                                    "",
		"no line yet":                         "",
		"one\ntwo":                            "one",
		"one\n\n  \n":                         "one",
		"10%\r20%\r30%\n":                     "30%",
		"the password is hunter22\nhunt":      "the password is ***",
		strings.Repeat("x", 20_000) + "\n":    "",
		strings.Repeat("x", 20_000) + "\ny\n": "y",
		"-----BEGIN PRIVATE KEY-----\n" + made("", 64) + "\n" + made("", 64) + "\n": masked,
	} {
		var c capture
		_, _ = c.Write([]byte(text))
		require.Equal(t, want, c.lastLine(m), "%.60q", text)
	}
}

func TestNothingIsTakenAfterTheMark(t *testing.T) {
	t.Parallel()
	for _, parts := range [][]string{{"one MARK two"}, {"one M", "ARK two"}, {"one ", "M", "A", "R", "K"}, {"one ", "MARK"}} {
		var c capture
		reached := c.endAt([]byte("MARK"))
		for _, part := range parts {
			n, err := c.Write([]byte(part))
			require.NoError(t, err)
			require.Equal(t, len(part), n)
		}
		<-reached
		_, _ = c.Write([]byte("three"))
		text, total := c.finish(masker{})
		require.Equal(t, "one ", string(text))
		require.EqualValues(t, 4, total)
	}
}

// A value is a secret however it is written down.
func TestSecretsAreMaskedWhenEscaped(t *testing.T) {
	t.Parallel()
	m := newMasker([]string{`ab"cd\efgh secret`})
	for _, text := range []string{`ab"cd\efgh secret`, `{"token": "ab\"cd\\efgh secret"}`, `https://example.com/?t=ab%22cd%5Cefgh+secret`} {
		require.Len(t, m.spans([]byte(text)), 1, text)
	}
}
