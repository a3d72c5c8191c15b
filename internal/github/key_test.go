package github

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// testKey is one key for all tests: making one takes a while.
var testKey = sync.OnceValue(func() *rsa.PrivateKey {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		panic(err)
	}
	return key
})

func pemText(kind string, der []byte) string {
	return string(pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}))
}

func pkcs8(t *testing.T, key any) []byte {
	t.Helper()
	der, err := x509.MarshalPKCS8PrivateKey(key)
	require.NoError(t, err)
	return der
}

func TestParsePrivateKeyReadsEveryForm(t *testing.T) {
	t.Parallel()
	one := pemText("RSA PRIVATE KEY", x509.MarshalPKCS1PrivateKey(testKey()))
	eight := pemText("PRIVATE KEY", pkcs8(t, testKey()))
	escaped := strings.ReplaceAll(one, "\n", `\n`)
	in64 := base64.StdEncoding.EncodeToString([]byte(one))
	for name, text := range map[string]string{
		"PKCS#1":                   one,
		"PKCS#8":                   eight,
		"spaces around":            "\n  " + one + "\n\n",
		"CRLF":                     strings.ReplaceAll(one, "\n", "\r\n"),
		"escaped line breaks":      escaped,
		"escaped CRLF":             strings.ReplaceAll(one, "\n", `\r\n`),
		"escaped and quoted":       `"` + escaped + `"`,
		"escaped PKCS#8":           strings.ReplaceAll(eight, "\n", `\n`),
		"base64":                   in64,
		"base64 of PKCS#8":         base64.StdEncoding.EncodeToString([]byte(eight)),
		"base64 in lines":          in64[:76] + "\n" + in64[76:] + "\n",
		"base64 of the escaped":    base64.StdEncoding.EncodeToString([]byte(escaped)),
		"with a byte order mark":   "\ufeff" + one,
		"with text before the PEM": "Key of the App\n" + one,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			key, err := ParsePrivateKey(text)
			require.NoError(t, err)
			require.True(t, testKey().Equal(key))
		})
	}
}

func TestParsePrivateKeySaysWhatItFound(t *testing.T) {
	t.Parallel()
	curve, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	one := pemText("RSA PRIVATE KEY", x509.MarshalPKCS1PrivateKey(testKey()))
	for name, c := range map[string]struct{ text, says string }{
		"nothing":          {"  ", "it is empty"},
		"a path":           {"/etc/app.pem", "no PEM found"},
		"base64 of others": {base64.StdEncoding.EncodeToString([]byte("hello")), "no PEM found"},
		"half a key":       {one[:len(one)/2], "damaged"},
		"a public key":     {pemText("PUBLIC KEY", []byte{1}), `found the PEM block "PUBLIC KEY"`},
		"a certificate":    {pemText("CERTIFICATE", []byte{1}), `found the PEM block "CERTIFICATE"`},
		"an EC key":        {pemText("PRIVATE KEY", pkcs8(t, curve)), "expected an RSA key"},
		"encrypted PKCS#8": {pemText("ENCRYPTED PRIVATE KEY", []byte{1}), "encrypted"},
		"encrypted PKCS#1": {"-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00\n\nAAAA\n-----END RSA PRIVATE KEY-----\n", "encrypted"},
		"wrong PKCS#1":     {pemText("RSA PRIVATE KEY", []byte("secretsecret")), "no PKCS#1 key"},
		"wrong PKCS#8":     {pemText("PRIVATE KEY", []byte("secretsecret")), "no PKCS#8 key"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := ParsePrivateKey(c.text)
			require.ErrorContains(t, err, c.says)
			if body := strings.TrimSpace(c.text); len(body) > 40 {
				require.NotContains(t, err.Error(), body[len(body)/2:len(body)/2+8], "an error must not quote the key")
			}
		})
	}
}
