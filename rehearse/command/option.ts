import type { Command } from "../../command/command.ts";

export const rehearseCommand = {
  about: "applies a change to an emulator with the objects of its state",
  usage: ["rehearse FOLDER --state FILE [options]", "rehearse --record-times LOG --out FILE"],
  description: `Copies the configuration in FOLDER, and runs the real plan, apply and second
plan of Terraform, OpenTofu or Pulumi there, against an emulator that begins
with the objects of the states. Reports the order of the steps, the error of a
step that fails, what is replaced, interrupted or unreachable meanwhile, and
whether the second plan is empty. Folder, state, plan and cloud are only read.

Provisioners and the data source external are refused, and other providers than
this one, random, null, tls and time. A program of Pulumi has this provider
only, and its state is the output of pulumi stack export.`,
  options: {
    state: {
      type: "string",
      multiple: true,
      value: "FILE",
      path: "file",
      about: "state of the folder; others, repeatable, have objects outside of it",
    },
    "remote-state": {
      type: "string",
      multiple: true,
      value: "NAME=FILE",
      about: "state that data.terraform_remote_state.NAME reads; repeatable",
    },
    stack: {
      type: "string",
      value: "NAME",
      about: "stack of a Pulumi program. Default: the one of the export",
    },
    inventory: {
      type: "string",
      value: "FILE",
      path: "file",
      about: "objects that the states lack, written by kcloud inventory",
    },
    plan: {
      type: "string",
      value: "FILE",
      path: "file",
      about: "plan that was reviewed, as show -json or preview --json prints it",
    },
    engine: {
      type: "string",
      value: "PROGRAM",
      about: "terraform, tofu or pulumi, or a path. Default: the one on PATH",
    },
    root: {
      type: "string",
      value: "FOLDER",
      path: "folder",
      about: "folder that is copied, for modules outside of FOLDER. Default: FOLDER",
    },
    out: { type: "string", value: "FILE", path: "file", about: "also writes the report as JSON" },
    until: {
      type: "string",
      value: "STEP",
      values: {
        validate: "ends after a check of the configuration; --out has its messages",
        plan: "ends after the plan; --out has it as the engine prints it",
      },
      about: "ends after a step, before anything is applied",
    },
    times: {
      type: "string",
      value: "FILE",
      path: "file",
      about: "measured durations of steps, written by --record-times",
    },
    "fault-drill": {
      type: "boolean",
      about: "also applies once for each request that changes something, which then fails",
    },
    seed: { type: "string", value: "NUMBER", about: "seed of the faults of the drill. Default: a drawn one" },
    "record-times": {
      type: "string",
      value: "LOG",
      path: "file",
      about: "writes the durations in the log of a real apply to --out; needs no FOLDER",
    },
    "time-limit": { type: "string", value: "SECONDS", about: "for each command of the engine. Default: 600" },
    "allow-commands": { type: "boolean", about: "runs local-exec and external" },
    "require-isolation": {
      type: "boolean",
      about: "fails where programs cannot be isolated from this machine",
    },
  },
  notes: `Exit codes: 0 the change applies, and a second plan is empty, 1 an error, such
as a refused part of the configuration, 2 invalid options, 3 the change fails,
a second plan would change something, or the configuration of --until validate
is not valid, 129, 130 or 143 after a signal.`,
} as const satisfies Command;
