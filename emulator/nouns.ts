import { flavorNoun } from "./flavor.ts";
import { imageNoun } from "./image.ts";
import { instanceNoun } from "./instance.ts";
import type { Noun } from "./noun.ts";
import { securityGroupNoun } from "./security-group.ts";
import { securityGroupRuleNoun } from "./security-group-rule.ts";
import { signInNoun } from "./sign-in.ts";
import { sshKeyNoun } from "./ssh-key.ts";
import { subnetNoun } from "./subnet.ts";
import { volumeNoun } from "./volume.ts";
import { vpcNoun } from "./vpc.ts";

/** Every noun that is built; a new one is added here and loses its rows in `unbuilt.ts`. */
export const nouns: readonly Noun[] = [
  signInNoun,
  vpcNoun,
  subnetNoun,
  securityGroupNoun,
  securityGroupRuleNoun,
  sshKeyNoun,
  imageNoun,
  flavorNoun,
  instanceNoun,
  volumeNoun,
];
