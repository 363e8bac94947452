/**
 * Test files that `npm run prove` runs and `npm cit` leaves out, longest first: planted defects, the simulation with all its
 * seeds, the HTML report in a browser, the README, all guides and workflows, the examples, and the suites that run lifecycles, crashes,
 * secrets and their leaks, changes outside, refreshes, signals, regions, lists, actions, services, dynamic classes, and objects
 * that two resources set or have in turn through the engines, the official suite and a client of the tool server's protocol, and a
 * release that is made twice.
 */
export const sweeps: readonly string[] = [
  "test/adapter/lifecycle/terraform.test.ts",
  "test/adapter/lifecycle/pulumi.test.ts",
  "test/release/release.test.ts",
  "test/planted/by-test.test.ts",
  "test/planted/by-simulation.test.ts",
  "test/simulation/simulation.test.ts",
  "test/dynamic/engine.test.ts",
  "test/pulumi/refresh.test.ts",
  "test/adapter/crash/terraform.test.ts",
  "test/adapter/example/terraform.test.ts",
  "test/adapter/guide/guide.test.ts",
  "test/adapter/guide/init.test.ts",
  "test/pulumi/shared-object.test.ts",
  "test/adapter/crash/pulumi.test.ts",
  "test/account/export/export.test.ts",
  "test/account/command/format.test.ts",
  "test/terraform/refresh.test.ts",
  "test/terraform/managed.test.ts",
  "test/pulumi/managed.test.ts",
  "test/adapter/hang-up.test.ts",
  "test/adapter/example/pulumi.test.ts",
  "test/adapter/example/lookup-page.test.ts",
  "test/adapter/guide/readme.test.ts",
  "test/adapter/language/stack.test.ts",
  "test/rehearse/command/confinement.test.ts",
  "test/rehearse/command/foreign-object.test.ts",
  "test/rehearse/command/language.test.ts",
  "test/rehearse/command/program.test.ts",
  "test/rehearse/drill.test.ts",
  "test/rehearse/truth.test.ts",
  "test/review/applied/truth.test.ts",
  "test/review/guide/guide.test.ts",
  "test/review/guide/pipeline.test.ts",
  "test/review/guide/rehearsal.test.ts",
  "test/review/guide/request.test.ts",
  "test/account/guide/workflow.test.ts",
  "test/pulumi/place.test.ts",
  "test/adapter/full-stack/refresh.test.ts",
  "test/adapter/secret-leak/pulumi.test.ts",
  "test/terraform/secret.test.ts",
  "test/terraform/query.test.ts",
  "test/terraform/invoke.test.ts",
  "test/terraform/first-subnet.test.ts",
  "test/terraform/service.test.ts",
  "test/terraform/import-generated.test.ts",
  "test/review/render/html.test.ts",
  "test/adapter/session/terraform.test.ts",
  "test/terraform/place.test.ts",
  "test/adapter/secret-leak/terraform.test.ts",
  "test/adapter/outside-change/pulumi.test.ts",
  "test/pulumi/interrupt.test.ts",
  "test/pulumi/service.test.ts",
  "test/mcp/conformance/suite.test.ts",
  "test/mcp/conformance/python.test.ts",
  "test/mcp/command/program.test.ts",
  "test/release/server.test.ts",
  "test/release/publish.test.ts",
  "test/adapter/guide/pulumi-repository.test.ts",
  "test/review/render/page/change-list.test.ts",
  "test/review/render/page/command.test.ts",
  "test/review/render/page/detail.test.ts",
  "test/review/render/page/diagram.test.ts",
  "test/review/render/page/element.test.ts",
  "test/review/render/page/filter.test.ts",
  "test/review/render/page/fragment.test.ts",
  "test/review/render/page/layout.test.ts",
  "test/review/render/page/main.test.ts",
  "test/review/render/page/reference.test.ts",
  "test/review/render/page/report.test.ts",
  "test/review/render/page/value.test.ts",
];

/**
 * Test files that `npm run prove` runs too, unless it is called with `--short`, as in CI, whose time they exceed: the engines with
 * a release, a team with its database, the full stack, a large configuration, a shared account, the lifecycles of CDKTF, and the
 * examples of other engines than Terraform and OpenTofu; the programs of Pulumi in each language, those of pages too, and their type
 * checks; all cases
 * of the acceptance harness; drawn accounts with every engine.
 */
export const longSweeps: readonly string[] = [
  "test/acceptance/sweep.test.ts",
  "test/adapter/full-stack/pulumi.test.ts",
  "test/adapter/example/pulumi-resource.test.ts",
  "test/adapter/language/program.test.ts",
  "test/adapter/language/page.test.ts",
  "test/release/engine.test.ts",
  "test/adapter/team/terraform.test.ts",
  "test/adapter/team/pulumi.test.ts",
  "test/adapter/full-stack/terraform.test.ts",
  "test/account/engine/sweep.test.ts",
  "test/adapter/shared-account/pulumi.test.ts",
  "test/adapter/scale.test.ts",
  "test/adapter/example/generated-yaml.test.ts",
  "test/adapter/shared-account/terraform.test.ts",
  "test/adapter/lifecycle/cdktf.test.ts",
  "test/adapter/example/generated-cdktf.test.ts",
  "test/adapter/full-stack/cdktf.test.ts",
  "test/adapter/language/check.test.ts",
  "test/adapter/language/import.test.ts",
  "test/adapter/language/mock.test.ts",
];

/** Test files that draw faults until the time limit of `npm run prove`; they run after the sweeps. */
export const drawnFaults: readonly string[] = [
  "test/adapter/fault/terraform.test.ts",
  "test/adapter/fault/pulumi.test.ts",
];

/**
 * Test files that `npm run prove` runs once more, with the single executable of a release instead of the plugins in `dist/`: those
 * of `npm cit` that start an engine with a plugin, and some of the sweeps.
 */
export const executableSuites: readonly string[] = [
  "test/terraform/engine.test.ts",
  "test/pulumi/engine.test.ts",
  "test/tools/cdktf/cdktf.test.ts",
  "test/terraform/query.test.ts",
  "test/terraform/first-subnet.test.ts",
  "test/adapter/session/terraform.test.ts",
  "test/adapter/outside-change/terraform.test.ts",
  "test/adapter/address-lock.test.ts",
  "test/adapter/hang-up.test.ts",
  "test/terraform/invoke.test.ts",
  "test/terraform/object.test.ts",
  "test/terraform/secret.test.ts",
  "test/terraform/sign-in.test.ts",
  "test/terraform/setting.test.ts",
  "test/terraform/service.test.ts",
  "test/terraform/moved.test.ts",
  "test/terraform/codec/write-only-group.test.ts",
  "test/tools/cdktf/secret.test.ts",
  "test/pulumi/import.test.ts",
  "test/pulumi/service.test.ts",
  "test/adapter/language/stack.test.ts",
  "test/adapter/stored-state.test.ts",
  "test/rehearse/command/main.test.ts",
  "test/mcp/command/main.test.ts",
];
