package github

import (
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"fmt"
	"strings"
)

// ParsePrivateKey reads the App's private key in every form that people keep it in: PEM text, PEM
// whose line breaks are the two characters \n, or base64 of PEM; PKCS#1 as GitHub hands it out, or
// PKCS#8. No error ever quotes the key.
func ParsePrivateKey(text string) (*rsa.PrivateKey, error) {
	block, err := pemBlock(text)
	if err != nil {
		return nil, err
	}
	switch block.Type {
	case "RSA PRIVATE KEY":
		if block.Headers["DEK-Info"] != "" {
			return nil, errors.New("private key: the PEM block is encrypted: use the key file as downloaded from the App's settings")
		}
		key, err := x509.ParsePKCS1PrivateKey(block.Bytes)
		if err != nil {
			return nil, errors.New("private key: the PEM block RSA PRIVATE KEY holds no PKCS#1 key: download a new key from the App's settings")
		}
		return key, nil
	case "PRIVATE KEY":
		key, err := x509.ParsePKCS8PrivateKey(block.Bytes)
		if err != nil {
			return nil, errors.New("private key: the PEM block PRIVATE KEY holds no PKCS#8 key: download a new key from the App's settings")
		}
		rsaKey, ok := key.(*rsa.PrivateKey)
		if !ok {
			return nil, fmt.Errorf("private key: expected an RSA key, found %T: GitHub Apps sign with RSA only", key)
		}
		return rsaKey, nil
	case "ENCRYPTED PRIVATE KEY":
		return nil, errors.New("private key: the PEM block is encrypted: use the key file as downloaded from the App's settings")
	default:
		return nil, fmt.Errorf("private key: expected RSA PRIVATE KEY or PRIVATE KEY, found the PEM block %q", quote(block.Type))
	}
}

func pemBlock(text string) (*pem.Block, error) {
	text = strings.Trim(strings.TrimSpace(strings.TrimPrefix(text, "\ufeff")), `"'`)
	if strings.TrimSpace(text) == "" {
		return nil, errors.New("private key: it is empty: expected PEM text, PEM with \\n for line breaks, or base64 of PEM")
	}
	if !strings.Contains(text, "-----BEGIN ") {
		decoded, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(text), ""))
		if err != nil || !strings.Contains(string(decoded), "-----BEGIN ") {
			return nil, errors.New("private key: no PEM found: expected text that starts with -----BEGIN, or base64 of such text")
		}
		text = string(decoded)
	}
	text = strings.NewReplacer(`\r`, "", `\n`, "\n").Replace(text)
	block, _ := pem.Decode([]byte(text))
	if block == nil {
		return nil, errors.New("private key: the PEM text is damaged: expected whole lines from -----BEGIN to -----END")
	}
	return block, nil
}
