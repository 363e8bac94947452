package acceptance

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"

	tfjson "github.com/hashicorp/terraform-json"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/querycheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"
)

var template = regexp.MustCompile(`\$\{(\w+\.[\w-]+)\.(\w+)\}`)

// resolve replaces each ${ADDRESS.ATTRIBUTE} of a text by its value in a state.
func resolve(text string, state *terraform.State) (string, error) {
	var err error
	result := template.ReplaceAllStringFunc(text, func(found string) string {
		parts := template.FindStringSubmatch(found)
		object := state.RootModule().Resources[parts[1]]
		if object == nil {
			err = fmt.Errorf("the state has no %s", parts[1])
			return ""
		}
		value, known := object.Primary.Attributes[parts[2]]
		if !known {
			err = fmt.Errorf("%s has no value of %s", parts[1], parts[2])
		}
		return value
	})
	return result, err
}

// resolved is the value of a template after the last apply, as a variable and as an expected value.
type resolved struct {
	run      *run
	template string
}

func (v resolved) value() (string, error) { return resolve(v.template, v.run.state) }

func (v resolved) MarshalJSON() ([]byte, error) {
	// The harness writes the variables of the first step before the first apply.
	value, err := v.value()
	if err != nil {
		return nil, err
	}
	return json.Marshal(value)
}

func (v resolved) CheckValue(actual any) error {
	expected, err := v.value()
	if err == nil && actual != expected {
		err = fmt.Errorf("expected %q, got %v", expected, actual)
	}
	return err
}

func (v resolved) String() string { return v.template }

// exactly returns a check of a value that was read from JSON.
func exactly(value any) knownvalue.Check { return exact{value} }

type exact struct{ expected any }

func (e exact) CheckValue(actual any) error {
	if !reflect.DeepEqual(actual, e.expected) {
		return fmt.Errorf("expected %v, got %v", e.expected, actual)
	}
	return nil
}

func (e exact) String() string { return fmt.Sprint(e.expected) }

// checkValues returns an error for an attribute without a value, or with another one than the expected.
func checkValues(state *terraform.State, values map[string]*string) error {
	for attribute, expected := range values {
		value, err := resolve("${"+attribute+"}", state)
		if err != nil || value == "" || expected != nil && value != *expected {
			return fmt.Errorf("%s is %q: %w", attribute, value, err)
		}
	}
	return nil
}

// checkImported compares an imported object with its state before, in every attribute but the ignored ones. The comparison of the
// harness ignores prefixes of names: with "content", it ignores "content_type" too.
func checkImported(before *terraform.InstanceState, states []*terraform.InstanceState, ignored []string) error {
	if len(states) != 1 {
		return fmt.Errorf("the import returned %d objects", len(states))
	}
	expected, actual := comparable(before.Attributes, ignored), comparable(states[0].Attributes, ignored)
	var differences []string
	for name, value := range expected {
		if actual[name] != value {
			differences = append(differences, fmt.Sprintf("%s is %q, not %q", name, actual[name], value))
		}
	}
	for name, value := range actual {
		if _, known := expected[name]; !known {
			differences = append(differences, fmt.Sprintf("%s is %q, not null", name, value))
		}
	}
	if len(differences) > 0 {
		slices.Sort(differences)
		return fmt.Errorf("after the import, %s", strings.Join(differences, ", "))
	}
	return nil
}

// comparable returns the attributes of a flat state without the ignored ones and the lengths of empty values.
func comparable(attributes map[string]string, ignored []string) map[string]string {
	result := map[string]string{}
	for name, value := range attributes {
		isEmpty := value == "0" && (strings.HasSuffix(name, ".#") || strings.HasSuffix(name, ".%"))
		if !isEmpty && !isIgnored(name, ignored) {
			result[name] = value
		}
	}
	return result
}

// isIgnored returns true for an ignored attribute and for a part of one.
func isIgnored(name string, ignored []string) bool {
	return slices.ContainsFunc(ignored, func(path string) bool {
		return name == path || strings.HasPrefix(name, path+".")
	})
}

// actionOf names the action of a planned change; empty for no change and for reads of data sources.
func actionOf(change *tfjson.ResourceChange) string {
	actions := change.Change.Actions
	switch {
	case actions.NoOp(), actions.Read(), strings.HasPrefix(change.Address, "data."):
		return ""
	case actions.Replace():
		return "replace"
	default:
		return string(actions[0])
	}
}

// expectActions expects exactly these planned actions by address.
type expectActions map[string]string

func (e expectActions) CheckPlan(_ context.Context, request plancheck.CheckPlanRequest, response *plancheck.CheckPlanResponse) {
	planned := map[string]string{}
	for _, change := range request.Plan.ResourceChanges {
		if action := actionOf(change); action != "" {
			planned[change.Address] = action
		}
	}
	if !reflect.DeepEqual(planned, map[string]string(e)) {
		response.Error = fmt.Errorf("expected the planned actions %v, got %v", map[string]string(e), planned)
	}
}

// unchanged checks a plan or a query: no request that changes an object was sent.
type unchanged struct{ emulator *emulator }

func (u unchanged) CheckPlan(_ context.Context, _ plancheck.CheckPlanRequest, response *plancheck.CheckPlanResponse) {
	response.Error = u.emulator.checkUnchanged()
}

// logged writes the identities that a query found into the output of the test.
type logged struct{ run *run }

func (l logged) CheckQuery(_ context.Context, request querycheck.CheckQueryRequest, _ *querycheck.CheckQueryResponse) {
	for _, found := range request.Query {
		l.run.t.Logf("%s found %v", found.Address, found.Identity)
	}
}

func (u unchanged) CheckQuery(_ context.Context, _ querycheck.CheckQueryRequest, response *querycheck.CheckQueryResponse) {
	response.Error = u.emulator.checkUnchanged()
}

// importedPlan checks the plan of an import: it changes only the imported object, and of it only the expected attributes,
// all of which an import cannot read.
type importedPlan struct {
	run      *run
	imported importation
}

// shownImport is a row of the table of imports, which the test prints.
type shownImport struct {
	Address string   `json:"address"`
	Kind    string   `json:"kind"`
	Action  string   `json:"action"`
	Changed []string `json:"changed"`
	// Other holds the planned actions of other objects.
	Other []string `json:"other,omitempty"`
}

func (p importedPlan) CheckPlan(_ context.Context, request plancheck.CheckPlanRequest, response *plancheck.CheckPlanResponse) {
	shown := shownImport{Address: p.imported.Address, Kind: p.imported.Kind, Action: "no-op", Changed: []string{}}
	for _, change := range request.Plan.ResourceChanges {
		action := actionOf(change)
		switch {
		case action == "":
		case change.Address == p.imported.Address:
			shown.Action = action
			shown.Changed = changedPaths("", change.Change.Before, change.Change.After, change.Change.AfterUnknown)
		default:
			shown.Other = append(shown.Other, change.Address+" "+action)
		}
	}
	slices.Sort(shown.Changed)
	line, _ := json.Marshal(shown)
	p.run.t.Logf("import %s", line)
	response.Error = p.problem(shown)
}

func (p importedPlan) problem(shown shownImport) error {
	if len(shown.Other) > 0 {
		return fmt.Errorf("the import of %s also plans: %s", shown.Address, strings.Join(shown.Other, ", "))
	}
	if shown.Action != "no-op" && shown.Action != "update" {
		return fmt.Errorf("the import of %s plans: %s of %v", shown.Address, shown.Action, shown.Changed)
	}
	for _, path := range shown.Changed {
		if !isIgnored(path, p.imported.Ignored) {
			return fmt.Errorf("the import of %s plans a change of %s, which an import can read", shown.Address, path)
		}
	}
	if expected := p.imported.Changed; expected != nil && !slices.Equal(*expected, shown.Changed) {
		return fmt.Errorf("the import of %s plans a change of %v, not of %v", shown.Address, shown.Changed, *expected)
	}
	return nil
}

// changedPaths returns the dotted paths of the attributes that a plan changes, or may change.
func changedPaths(path string, before, after, unknown any) []string {
	if unknown == true {
		return []string{path}
	}
	left, isObject := before.(map[string]any)
	right, isSame := after.(map[string]any)
	if !isObject || !isSame {
		if reflect.DeepEqual(before, after) {
			return nil
		}
		return []string{path}
	}
	parts, _ := unknown.(map[string]any)
	names := map[string]bool{}
	for name := range left {
		names[name] = true
	}
	for name := range right {
		names[name] = true
	}
	for name := range parts {
		names[name] = true
	}
	var changed []string
	for name := range names {
		changed = append(changed, changedPaths(strings.TrimPrefix(path+"."+name, "."), left[name], right[name], parts[name])...)
	}
	return changed
}
