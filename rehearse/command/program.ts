import { lstatSync } from "node:fs";
import { homedir } from "node:os";
import { join, relative } from "node:path";
import { isPulumiState } from "../../account/state/pulumi.ts";
import { thisMachine } from "../../command/install/machine.ts";
import { programOf } from "../../command/install/program.ts";
import { CommandError } from "../../command/run.ts";
import { findOnPath } from "../../review/custom-rule/node.ts";
import { readText } from "../../review/read/file.ts";
import { objectOf } from "../../review/read/json.ts";
import { hostOf, openPulumi, versionsIn } from "../engine/pulumi.ts";
import { refusedEntries, refusedLink } from "../folder/entry.ts";
import { environmentOf } from "../folder/environment.ts";
import { isPassphraseOf, newPassphrase, passphraseIn } from "../folder/passphrase.ts";
import {
  type Configuration,
  isSecure,
  type Program,
  readConfiguration,
  readProgram,
  stacksIn,
} from "../folder/program.ts";
import { copyProgram, linkedFolders, otherVersionsIn } from "../folder/program-copy.ts";
import {
  checkpointOf,
  type Reference,
  referenceTo,
  replacementOf,
  type Stack,
  stackIn,
} from "../folder/stack.ts";
import { packageParts, rootFor } from "../isolation/place.ts";
import { type Prepared, refuse } from "./prepared.ts";

/** Opens a Pulumi program for a rehearsal. */

export interface ProgramOptions {
  readonly root: string;
  readonly folder: string;
  /** Name of the project file. */
  readonly file: string;
  /** Path of the export of the stack, and those of states with objects outside of it. */
  readonly states: readonly string[];
  /** Name of the stack, if it is given. */
  readonly stack: string | undefined;
  readonly environment: NodeJS.ProcessEnv;
}

/** Checks a program, its export and its configuration. Returns a function that opens them. Throws `CommandError`. */
export function prepareProgram(options: ProgramOptions): Prepared {
  const { root, folder, file, states } = options;
  const [state = "", ...others] = states;
  const path = join(root, folder);
  const json = objectOf(JSON.parse(readText(state)));
  const references = others.flatMap(referencesIn);
  const unlocated = stackIn(json, { url: "", key: "" }, references);
  // A problem of a project file that is a link would quote a file outside of the folder.
  if (lstatSync(join(path, file)).isSymbolicLink()) refuse(refusedLink(root, join(path, file)));
  const program = readProgram(root, folder, file);
  const isLinked = (place: string) => linkedFolders(program).includes(relative(folder, place));
  refuse([...program.refusals, ...refusedEntries(root, isLinked), ...otherVersionsIn(root, folder)]);
  const stack = stackOf(unlocated, program, options);
  const configuration = readConfiguration(path, program, stack);
  refuse([
    ...configuration.refusals.map(({ place, reason }) => ({ place: join(folder, place), reason })),
    ...unlocated.refused.map((reason) => ({ place: state, reason })),
  ]);
  const secrets = secretsOf(unlocated, configuration, options);
  return {
    assumed: configuration.exists
      ? []
      : [`${configuration.file} does not exist: the stack has no configuration`],
    async open({ access, settings, isIsolated, ...more }) {
      const { name: project } = program;
      const machine = thisMachine();
      const { file: plugin } = programOf("pulumi", machine.program, machine.executable, machine.platform);
      const { passphrase, state: stateSalt, configuration: salt } = secrets;
      const copy = copyProgram({
        ...{ root, folder, program, configuration, stack, plugin, access, salt },
        checkpoint: checkpointOf(stackIn(json, access), { name: stack, project, salt: stateSalt }),
        others: Object.fromEntries(
          references.map(({ name, project, stack }) => [
            `${project}/${name}`,
            checkpointOf(stack, { name, project, salt: stateSalt }),
          ]),
        ),
      });
      const home = options.environment.PULUMI_HOME || join(homedir(), ".pulumi");
      const environments = linkedFolders(program).map((place) => join(path, place));
      const rootOf = () =>
        rootFor({
          environment: options.environment,
          programs: [more.program, ...[hostOf(program.runtime), "python3", "python"].map(findOnPath)],
          others: [...packageParts(plugin), versionsIn(home), ...copy.links],
          ...{ environments, copy: copy.engineFolder, source: root },
        });
      try {
        const engine = await openPulumi({
          ...{ ...more, copy, stack, passphrase, runtime: program.runtime, home },
          environment: environmentOf(options.environment, copy.engineFolder, settings),
          root: isIsolated ? rootOf() : undefined,
        });
        return { engine, remove: copy.remove };
      } catch (error) {
        copy.remove();
        throw error;
      }
    },
  };
}

/** Returns the outputs in a state, if it is an export of Pulumi. Throws `CommandError` if they are encrypted. */
function referencesIn(path: string): Reference[] {
  const json = objectOf(JSON.parse(readText(path)));
  const reference = isPulumiState(json) ? referenceTo(json) : undefined;
  if (reference === undefined) return [];
  if (![reference.name, reference.project].every((name) => nameOfStack.test(name)))
    throw new CommandError(`${path} has a stack whose name cannot be read`);
  if (reference.stack.encryptedBy !== undefined)
    throw new CommandError(
      `${path} has encrypted outputs: pass the output of pulumi stack export --show-secrets`,
    );
  return [reference];
}

const nameOfStack = /^(?!\.+$)[\w.-]+$/;

/** Returns the name of the stack, on which the export, the project and the option must agree. */
function stackOf({ name, project }: Stack, program: Program, options: ProgramOptions): string {
  const { states, root, folder, file } = options;
  const [state] = states;
  const given = options.stack?.split("/").at(-1);
  if (project !== undefined && project !== program.name)
    throw new CommandError(
      `${state} is an export of the project ${project}, and ${relative(process.cwd(), join(root, folder, file)) || file} is the project ${program.name}`,
    );
  if (name !== undefined && given !== undefined && name !== given)
    throw new CommandError(`${state} is an export of the stack ${name}, and not of ${given}`);
  const known = stacksIn(join(root, folder), program);
  const stack = name ?? given ?? (known.length === 1 ? known[0] : undefined);
  if (stack === undefined)
    throw new CommandError(`${state} has no objects, and so no name of its stack: name it with --stack`);
  if (!nameOfStack.test(stack)) throw new CommandError(`${stack} is no name of a stack`);
  return stack;
}

/** Passphrase of the copy, and the salts of its keys. */
interface Secrets {
  readonly passphrase: string;
  readonly state: string;
  readonly configuration: string;
}

/** Returns the secrets of the copy: those of the stack if something is encrypted by its passphrase, else new ones. */
function secretsOf(
  stack: Stack,
  configuration: Configuration,
  { states: [state = ""], environment }: ProgramOptions,
): Secrets {
  const access = { url: "", key: "" };
  const secure = configuration.settings.filter(
    (setting) => isSecure(setting) && replacementOf(setting.key, access) === undefined,
  );
  const places: { readonly place: string; readonly salt: string; readonly cure: string }[] = [];
  const shown = "pass the output of pulumi stack export --show-secrets as --state";
  if (stack.encryptedBy !== undefined) {
    if (stack.encryptedBy !== "passphrase" || stack.salt === undefined)
      throw new CommandError(
        `the secrets of ${state} are encrypted by ${stack.encryptedBy}, to which a rehearsal does not connect: ${shown}`,
      );
    places.push({ place: state, salt: stack.salt, cure: `, or ${shown}` });
  }
  if (secure.length > 0) {
    const names = secure.map(({ key }) => key).join(", ");
    const { file, keyService, salt } = configuration;
    if (keyService !== undefined || salt === undefined)
      throw new CommandError(
        `${names} in ${file} ${secure.length > 1 ? "are" : "is"} encrypted by ${keyService ?? "the service of the stack"}, to which a rehearsal does not connect: rehearse a copy of the folder in which pulumi config set --plaintext has replaced them`,
      );
    places.push({ place: `${file} (${names})`, salt, cure: "" });
  }
  const [first] = places;
  if (first === undefined) {
    const { passphrase, salt } = newPassphrase();
    return { passphrase, state: salt, configuration: salt };
  }
  const variables = "PULUMI_CONFIG_PASSPHRASE or PULUMI_CONFIG_PASSPHRASE_FILE";
  const passphrase = passphraseOf(environment);
  if (passphrase === undefined)
    throw new CommandError(
      `${first.place} has encrypted secrets: set ${variables} to the passphrase of the stack${first.cure}`,
    );
  for (const { place, salt } of places)
    if (!isPassphraseOf({ passphrase, salt }))
      throw new CommandError(`${variables} is not the passphrase of ${place}`);
  const [{ salt }, { salt: other }] = [first, places.at(-1) ?? first];
  return { passphrase, state: salt, configuration: other };
}

function passphraseOf(environment: NodeJS.ProcessEnv): string | undefined {
  try {
    return passphraseIn(environment);
  } catch (error) {
    throw new CommandError(
      `PULUMI_CONFIG_PASSPHRASE_FILE cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}
