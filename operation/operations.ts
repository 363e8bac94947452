import { snakeCase } from "../provider/core/name.ts";
import { accessKey } from "./area/access-key.ts";
import { accountPolicy } from "./area/account-policy.ts";
import { aiPod } from "./area/ai-pod.ts";
import { bucket } from "./area/bucket.ts";
import { document } from "./area/document.ts";
import { iam } from "./area/iam.ts";
import { image } from "./area/image.ts";
import { inference } from "./area/inference.ts";
import { instance } from "./area/instance.ts";
import { instanceTemplate } from "./area/instance-template.ts";
import { loadBalancer } from "./area/load-balancer.ts";
import { object } from "./area/object.ts";
import { objectSession } from "./area/object-session.ts";
import { port } from "./area/port.ts";
import { securityGroup } from "./area/security-group.ts";
import { certificate, cluster, dns, sandbox, scalingGroup } from "./area/service.ts";
import { signIn } from "./area/sign-in.ts";
import { sshKey } from "./area/ssh-key.ts";
import { text } from "./area/text.ts";
import { volume } from "./area/volume.ts";
import { vpc } from "./area/vpc.ts";
import type { Area, Operation } from "./operation.ts";

/** Operations of the API by area, for which the client has methods. An area is a file of `operation/area/` and a line here. */
export const areas: { readonly [area: string]: Area } = {
  signIn,
  vpc,
  port,
  securityGroup,
  sshKey,
  image,
  instance,
  instanceTemplate,
  volume,
  bucket,
  accessKey,
  accountPolicy,
  objectSession,
  object,
  aiPod,
  inference,
  text,
  document,
};

/**
 * Areas beyond the documents that the emulator does not implement: their requests were never seen by a service, and the client has no methods
 * for them (docs/contract.md#18). Operations whose requests are not known are missing.
 */
export const furtherAreas: { readonly [area: string]: Area } = {
  iam,
  loadBalancer,
  dns,
  cluster,
  certificate,
  scalingGroup,
  sandbox,
};

/** Operation with its names. */
export interface NamedOperation {
  /** Name in the contract: `create_volume`. */
  readonly name: string;
  /** Name of the area and of the method in the client: `volume`, `createVolume`. */
  readonly area: string;
  readonly method: string;
  readonly operation: Operation;
}

const operationsIn = (areas: { readonly [area: string]: Area }): NamedOperation[] =>
  Object.entries(areas).flatMap(([area, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      name: snakeCase(method),
      area,
      method,
      operation,
    })),
  );

/** Returns the operations for which the client has methods, in the order of the table. */
export const clientOperations = (): NamedOperation[] => operationsIn(areas);

/** Returns all operations of the table. */
export const allOperations = (): NamedOperation[] => operationsIn({ ...areas, ...furtherAreas });
