package acceptance

import (
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strings"
)

// emulator is a client of the admin routes of an emulator.
type emulator struct {
	url string
	// changing lists the operations that change objects.
	changing []string
	// before holds the number of requests of each changing operation at the last mark.
	before map[string]int
}

func (e *emulator) get(path string, into any) error {
	answer, err := http.Get(e.url + "/_emulator/" + path)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("GET /_emulator/%s: %s", path, answer.Status)
	}
	return json.NewDecoder(answer.Body).Decode(into)
}

// changes returns the number of requests of each changing operation.
func (e *emulator) changes() (map[string]int, error) {
	var counts map[string]int
	if err := e.get("log/counts", &counts); err != nil {
		return nil, err
	}
	for name := range counts {
		if !slices.Contains(e.changing, name) {
			delete(counts, name)
		}
	}
	return counts, nil
}

// mark records the requests before a step. An error shows as a difference after it.
func (e *emulator) mark() {
	e.before, _ = e.changes()
}

// checkUnchanged returns an error if a request that changes an object arrived since the last mark.
func (e *emulator) checkUnchanged() error {
	after, err := e.changes()
	if err != nil {
		return err
	}
	if !reflect.DeepEqual(e.before, after) {
		return fmt.Errorf("requests that change objects were sent: %v before the step, %v after it", e.before, after)
	}
	return nil
}

// checkEmpty returns an error if objects remain that a destroy should have deleted.
func (e *emulator) checkEmpty(permanent, deferred []string) error {
	var remaining []struct {
		Kind       string `json:"kind"`
		Name       string `json:"name"`
		KRN        string `json:"krn"`
		DeletingAt any    `json:"deletingAt"`
	}
	if err := e.get("state", &remaining); err != nil {
		return err
	}
	var left []string
	for _, item := range remaining {
		isDeleting := item.DeletingAt != nil && slices.Contains(deferred, item.Kind)
		if !isDeleting && !slices.Contains(permanent, item.Kind) {
			left = append(left, fmt.Sprintf("%s %q (%s)", item.Kind, item.Name, item.KRN))
		}
	}
	if len(left) > 0 {
		return fmt.Errorf("the destroy left: %s", strings.Join(left, ", "))
	}
	return nil
}
