import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { install } from "../../tools/engines/install.ts";
import type { Recipe } from "../../tools/engines/recipe.ts";

/** Provider in Go, built from its public module. Its resources send no requests. */

const recipe: Recipe = {
  name: "terraform-provider-time",
  title: "Terraform provider time",
  version: "0.13.1",
  command: "terraform-provider-time",
  builds: [
    {
      module: fileURLToPath(new URL("terraform-provider-time", import.meta.url)),
      package: "github.com/hashicorp/terraform-provider-time",
      output: "terraform-provider-time",
    },
  ],
};

/** Returns the path of the executable in the cache, where it is built if it is missing. */
export const goProvider = async (): Promise<string> => join(await install(recipe), recipe.command);
