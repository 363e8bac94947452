// Package acceptance runs cases with the official acceptance harness of Terraform providers. The cases are generated from the
// definitions, the examples and the lifecycles of this repository (test/acceptance/case.ts): no case is written here.
package acceptance

import (
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-testing/config"
	"github.com/hashicorp/terraform-plugin-testing/echoprovider"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/querycheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"
)

// plan holds all cases of a run.
type plan struct {
	// Source is the address of the provider, which a CLI configuration installs from a mirror.
	Source string `json:"source"`
	// Changing lists the operations of the emulator that change objects.
	Changing []string `json:"changing"`
	// Permanent lists the kinds of the emulator that no route deletes.
	Permanent []string `json:"permanent"`
	// Deferred lists the kinds whose delete may be in progress after a destroy.
	Deferred []string   `json:"deferred"`
	Cases    []testCase `json:"cases"`
}

// testCase is a test of the harness with an emulator of its own.
type testCase struct {
	Name string `json:"name"`
	// URL is the address of the emulator.
	URL string `json:"url"`
	// Echo adds the echo provider of the harness.
	Echo  bool   `json:"echo"`
	Steps []step `json:"steps"`
}

// step is one step of a test. Texts of the form ${ADDRESS.ATTRIBUTE} in variables and import ids are replaced by values
// of the state after the last apply.
type step struct {
	// Config is a configuration to apply, or with List the list blocks of a query.
	Config    string            `json:"config"`
	Variables map[string]string `json:"variables"`
	// Planned holds the planned action of each changed object by its address; not checked if it is nil.
	Planned map[string]string `json:"planned"`
	// Outputs holds the expected values of outputs.
	Outputs map[string]any `json:"outputs"`
	// Values holds the expected values of ADDRESS.ATTRIBUTE; null stands for any value.
	Values map[string]*string `json:"values"`
	// Forgets keeps the values of the last step for the variables of the next one.
	Forgets bool `json:"forgets"`
	// SendsNothing expects that the apply sends no request that changes an object.
	SendsNothing bool `json:"sendsNothing"`
	// Refresh refreshes the state and expects an empty plan.
	Refresh bool `json:"refresh"`
	// Query expects this identity in the list with this address.
	Query  *query       `json:"query"`
	Import *importation `json:"import"`
}

type query struct {
	Address  string            `json:"address"`
	Identity map[string]string `json:"identity"`
}

type importation struct {
	// Kind is the way of the import: "command", "id" (a block with an id) or "identity" (a block with an identity).
	Kind    string `json:"kind"`
	Address string `json:"address"`
	ID      string `json:"id"`
	// Ignored lists the attributes that an import cannot read.
	Ignored []string `json:"ignored"`
	// VerifyIgnored lists the same attributes as prefixes of names in a flat state, as the harness compares them.
	VerifyIgnored []string `json:"verifyIgnored"`
	// Changed lists the attributes that the plan after an import by block changes; not compared if it is nil.
	Changed *[]string `json:"changed"`
	// Refusal is the text with which the provider refuses the import.
	Refusal string `json:"refusal"`
}

func TestCase(t *testing.T) {
	cases := readPlan(t)
	for _, c := range cases.Cases {
		t.Run(c.Name, func(t *testing.T) { c.run(t, cases) })
	}
}

func readPlan(t *testing.T) plan {
	file := os.Getenv("KCLOUD_ACCEPTANCE_CASES")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var cases plan
	if err := json.Unmarshal(text, &cases); err != nil {
		t.Fatal(err)
	}
	return cases
}

func (c testCase) run(t *testing.T, all plan) {
	r := &run{t: t, emulator: emulator{url: c.URL, changing: all.Changing}}
	test := resource.TestCase{
		ExternalProviders: map[string]resource.ExternalProvider{"kcloud": {Source: all.Source}},
		CheckDestroy: func(*terraform.State) error {
			return r.emulator.checkEmpty(all.Permanent, all.Deferred)
		},
	}
	if c.Echo {
		test.ProtoV6ProviderFactories = map[string]func() (tfprotov6.ProviderServer, error){
			"echo": echoprovider.NewProviderServer(),
		}
	}
	for _, s := range c.Steps {
		test.Steps = append(test.Steps, r.step(s))
	}
	resource.ParallelTest(t, test)
}

// run is a test in progress.
type run struct {
	t        *testing.T
	emulator emulator
	state    *terraform.State
}

func (r *run) step(s step) resource.TestStep {
	switch {
	case s.Import != nil:
		return r.importStep(*s.Import)
	case s.Query != nil:
		return r.queryStep(s)
	case s.Refresh:
		return resource.TestStep{RefreshState: true, Check: func(state *terraform.State) error {
			r.state = state
			return checkValues(state, s.Values)
		}}
	}
	result := resource.TestStep{Config: s.Config, ConfigVariables: r.variables(s.Variables), Check: func(state *terraform.State) error {
		if !s.Forgets {
			r.state = state
		}
		if s.SendsNothing {
			if err := r.emulator.checkUnchanged(); err != nil {
				return err
			}
		}
		return checkValues(state, s.Values)
	}}
	if s.SendsNothing {
		result.PreConfig = r.emulator.mark
	}
	if s.Planned != nil {
		result.ConfigPlanChecks.PreApply = []plancheck.PlanCheck{expectActions(s.Planned)}
	}
	for name, value := range s.Outputs {
		result.ConfigStateChecks = append(result.ConfigStateChecks, statecheck.ExpectKnownOutputValue(name, exactly(value)))
	}
	return result
}

// variables returns variables whose templates are resolved when the harness writes them.
func (r *run) variables(templates map[string]string) config.Variables {
	if len(templates) == 0 {
		return nil
	}
	result := config.Variables{}
	for name, template := range templates {
		result[name] = resolved{r, template}
	}
	return result
}

func (r *run) queryStep(s step) resource.TestStep {
	identity := map[string]knownvalue.Check{}
	for name, template := range s.Query.Identity {
		identity[name] = resolved{r, template}
	}
	return resource.TestStep{
		Query:           true,
		Config:          s.Config,
		ConfigVariables: r.variables(s.Variables),
		PreConfig:       r.emulator.mark,
		QueryResultChecks: []querycheck.QueryResultCheck{
			logged{r},
			querycheck.ExpectIdentity(s.Query.Address, identity),
			unchanged{&r.emulator},
		},
	}
}

func (r *run) importStep(i importation) resource.TestStep {
	result := resource.TestStep{
		ImportState:  true,
		ResourceName: i.Address,
		PreConfig:    r.emulator.mark,
		ImportStateIdFunc: func(state *terraform.State) (string, error) {
			return resolve(i.ID, state)
		},
	}
	if i.Refusal != "" {
		result.ExpectError = refusal(i.Refusal)
	}
	switch i.Kind {
	case "command":
		result.ImportStateVerify = true
		result.ImportStateVerifyIgnore = i.VerifyIgnored
		result.ImportStateCheck = func(states []*terraform.InstanceState) error {
			if err := r.emulator.checkUnchanged(); err != nil {
				return err
			}
			return checkImported(r.state.RootModule().Resources[i.Address].Primary, states, i.Ignored)
		}
		return result
	case "id":
		result.ImportStateKind = resource.ImportBlockWithID
	case "identity":
		result.ImportStateKind = resource.ImportBlockWithResourceIdentity
		result.ImportStateIdFunc = nil
	}
	// An import that must plan no change is checked by the harness itself.
	result.ExpectNonEmptyPlan = i.Changed == nil || len(*i.Changed) > 0
	result.ImportPlanChecks.PreApply = []plancheck.PlanCheck{importedPlan{r, i}, unchanged{&r.emulator}}
	return result
}

// refusal returns the pattern of a text that an engine may have wrapped.
func refusal(text string) *regexp.Regexp {
	words := strings.Fields(text)
	for at, word := range words {
		words[at] = regexp.QuoteMeta(word)
	}
	// A diagnostic begins with an uppercase letter.
	return regexp.MustCompile("(?i)" + strings.Join(words, `[\s│╵╷]+`))
}
