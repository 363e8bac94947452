import type { EmulatorOptions } from "../../emulator/emulator.ts";

/** Cases of the acceptance harness. `harness/case_test.go` reads their steps. */

/** Step of a case; `Step` of `harness/case_test.go` documents the members. */
export interface Step {
  readonly config?: string;
  readonly variables?: Readonly<Record<string, string>>;
  readonly planned?: Readonly<Record<string, string>>;
  readonly outputs?: Readonly<Record<string, unknown>>;
  readonly values?: Readonly<Record<string, string | null>>;
  readonly forgets?: true;
  readonly sendsNothing?: true;
  readonly refresh?: true;
  readonly query?: { readonly address: string; readonly identity: Readonly<Record<string, string>> };
  readonly import?: Importation;
}

export type ImportKind = "command" | "id" | "identity";

interface Importation {
  readonly kind: ImportKind;
  readonly address: string;
  readonly id: string;
  readonly ignored: readonly string[];
  readonly verifyIgnored: readonly string[];
  readonly changed?: readonly string[];
  readonly refusal?: string;
}

/** Features of an engine on which steps depend. */
export interface Features {
  /** Identities of resources: Terraform 1.12. */
  readonly hasIdentities: boolean;
  /** Queries and actions: Terraform 1.14. */
  readonly hasQueries: boolean;
}

export interface Case {
  /** `lifecycle/KIND`, `example/KIND` or a feature. */
  readonly name: string;
  readonly emulator: EmulatorOptions;
  readonly echo?: true;
  /** Feature without which an engine cannot run the case. */
  readonly requires?: keyof Features;
  /** Set if the case imports an object; `isRefused` is true for a kind that cannot be imported. */
  readonly imported?: { readonly isRefused: boolean };
  /** Returns the steps for an emulator at this address. */
  readonly steps: (
    url: string,
    features: Features,
    changed: readonly string[] | undefined,
  ) => readonly Step[];
}
