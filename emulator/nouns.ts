import type { Noun } from "./noun.ts";
import { subnetNoun } from "./subnet.ts";
import { volumeNoun } from "./volume.ts";
import { vpcNoun } from "./vpc.ts";

/** Every noun that is built; a new one is added here and loses its rows in `unbuilt.ts`. */
export const nouns: readonly Noun[] = [vpcNoun, subnetNoun, volumeNoun];
