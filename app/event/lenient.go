package event

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
)

// unmarshal decodes what has been checked to be JSON. A member of an unexpected type or a time in
// another notation is no reason to lose the event: both are passed over, and the members that count
// are checked afterwards.
func unmarshal(payload []byte, into any) error {
	err := json.Unmarshal(payload, into)
	var badTime *time.ParseError
	if errors.As(err, &badTime) {
		// A time that does not parse ends the decoding in the middle.
		if payload, err = withoutBadTimes(payload); err == nil {
			err = json.Unmarshal(payload, into)
		}
	}
	var mismatch *json.UnmarshalTypeError
	if err != nil && !errors.As(err, &mismatch) {
		return fmt.Errorf("%w: %w", ErrMalformed, err)
	}
	return nil
}

// withoutBadTimes drops the members named like times whose text is not one.
func withoutBadTimes(payload []byte) ([]byte, error) {
	var value any
	decoder := json.NewDecoder(bytes.NewReader(payload))
	decoder.UseNumber()
	if err := decoder.Decode(&value); err != nil {
		return nil, err
	}
	dropBadTimes(value)
	return json.Marshal(value)
}

func dropBadTimes(value any) {
	switch value := value.(type) {
	case []any:
		for _, element := range value {
			dropBadTimes(element)
		}
	case map[string]any:
		for name, member := range value {
			if isBadTime(name, member) {
				delete(value, name)
				continue
			}
			dropBadTimes(member)
		}
	}
}

func isBadTime(name string, member any) bool {
	text, ok := member.(string)
	if !ok || !strings.HasSuffix(name, "_at") {
		return false
	}
	_, err := time.Parse(time.RFC3339, text)
	return err != nil
}
