import type { Command } from "../../command/command.ts";
import { reportOptions } from "../../review/command/option.ts";

/** Descriptions of the commands that read an account. */

const stateOption = {
  state: {
    type: "string",
    multiple: true,
    value: "[NAME=]PATH",
    path: "file",
    about: "state to compare; repeatable; - reads standard input",
  },
} as const;

export const exportCommand = {
  about: "writes the existing objects of an account as a project",
  usage: ["export --out FOLDER [options]"],
  description: `Reads the objects of the account in the region of the settings, and writes a
project that imports them: a plan changes nothing but values that the API does
not show. Sends only reads. Settings and credentials are those of the
environment and the profile. Writes no secrets.

The folder must not exist or be empty. At its end, the command lists the objects
that are comments in the project, since the API does not show all that they
need, and the parts of the account that it could not read.

A PATTERN is a NAME or KIND/NAME, in which * stands for any text. --vpc, --kind,
--name, --tag and --exclude are repeatable; an object needs all tags.

With --unmanaged, the project has only the objects that none of the states has,
which kcloud orphans lists. References to the others are IDs. A state that
cannot be read as a whole is an error.`,
  options: {
    out: { type: "string", value: "FOLDER", path: "folder", about: "folder of the project" },
    format: {
      type: "string",
      value: "FORMAT",
      values: {
        terraform: "HCL with import blocks, for Terraform and OpenTofu",
        "pulumi-typescript": "a Pulumi program in TypeScript, and a file for pulumi import",
        "pulumi-python": "a Pulumi program in Python, and a file for pulumi import",
        "pulumi-yaml": "a Pulumi program in YAML, and a file for pulumi import",
        cdktf: "an app of CDKTF in TypeScript with imports",
      },
      about: "language of the project. Default: terraform",
    },
    by: {
      type: "string",
      value: "GROUP",
      values: { kind: "a file for each kind of object", vpc: "a file for each VPC" },
      about: "distribution over files. Default: kind",
    },
    vpc: { type: "string", multiple: true, value: "NAME|ID", about: "only this VPC and the objects in it" },
    kind: {
      type: "string",
      multiple: true,
      value: "KIND",
      about: "only objects of this kind, such as volume",
    },
    name: { type: "string", multiple: true, value: "PATTERN", about: "only objects with such a name" },
    tag: {
      type: "string",
      multiple: true,
      value: "KEY[=VALUE]",
      about: "only objects with this tag or label",
    },
    exclude: {
      type: "string",
      multiple: true,
      value: "PATTERN",
      about: "leaves out objects with such a name",
    },
    unmanaged: { type: "boolean", about: "only objects that none of the states has" },
    ...stateOption,
  },
  notes: `Exit codes: 0 written, 1 an error, such as a filter that selects no object of an
account that has some, 2 invalid options, 4 written, but a part of the account
could not be read, 130 interrupted. Within 15 minutes, the same command then
continues.`,
} as const satisfies Command;

export const inventoryCommand = {
  about: "writes the existing objects of an account for an emulator",
  usage: ["inventory --out FILE [options]"],
  description: `Reads the objects of the account in the region of the settings, and writes an
inventory, with which "kcloud emulator --inventory FILE" begins; with
"--from-state" too, the emulator has the objects of the states and those outside
of them. Sends only reads. The file is readable by its owner only, and contains
no secret of a key, no content of an object, and user data of templates only.`,
  options: {
    out: { type: "string", value: "FILE", path: "file", about: "file of the inventory" },
    objects: { type: "boolean", about: "also the objects of buckets, with their sizes" },
  },
  notes: `Exit codes: 0 written, 1 an error, 2 invalid options, 4 written, but a part of
the account could not be read, 130 interrupted.`,
} as const satisfies Command;

export const driftCommand = {
  about: "compares states with the cloud",
  usage: ["drift --state [NAME=]PATH... [options]"],
  description: `Reads every object of the given states from the API, and reports the objects
that were changed or deleted outside the engine. It changes nothing, neither in
the cloud nor in a state, and needs no engine. A state is a state file of
Terraform or OpenTofu, the output of "terraform show -json" or of "pulumi stack
export". Values that the API does not return are not compared.`,
  options: {
    ...stateOption,
    ...reportOptions,
  },
  notes: `Exit codes: 0 passed, 1 a state, policy or option cannot be read, 2 passed with
drift (--detailed-exitcode), 3 blocked by findings, 4 an object cannot be read,
or a state has no object of this provider, 130 interrupted.`,
} as const satisfies Command;

export const orphansCommand = {
  about: "lists the objects of an account that no state has",
  usage: ["orphans --state [NAME=]PATH... [options]"],
  description: `Lists the objects of the account in the region of the settings that are in none
of the given states, each with its age, the objects that refer to it, and the
command that imports it. It changes nothing. A state is a state file of
Terraform or OpenTofu, the output of "terraform show -json" or of "pulumi stack
export".

Objects that the API makes together with another one, such as the port of an
instance, are no orphans, nor are those that are younger than settle_seconds.`,
  options: {
    ...stateOption,
    kind: { type: "string", multiple: true, value: "KIND", about: "only objects of this kind; repeatable" },
    exclude: {
      type: "string",
      multiple: true,
      value: "PATTERN",
      about: "leaves out objects with such a name, as NAME or KIND/NAME; * stands for any text; repeatable",
    },
    json: { type: "boolean", about: "output as JSON" },
  },
  notes: `Exit codes: 0 no orphans, 1 an error, such as a state of another account or
region, 3 orphans, 4 a part of the account or of a state could not be read,
130 interrupted.`,
} as const satisfies Command;
