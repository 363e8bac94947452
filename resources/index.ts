import type { Resource } from "../provider/define.ts";
import { instance } from "./instance.ts";
import { securityGroup } from "./security-group.ts";
import { securityGroupRule } from "./security-group-rule.ts";
import { sshKey } from "./ssh-key.ts";
import { subnet } from "./subnet.ts";
import { volume } from "./volume.ts";
import { vpc } from "./vpc.ts";

/** Every managed resource. The only list: all faces, the docs and the review read it. */
export const resources: readonly Resource[] = [
  vpc,
  subnet,
  securityGroup,
  securityGroupRule,
  sshKey,
  volume,
  instance,
];
