import type { LifecycleCase } from "../case.ts";

const replace = { name: "life-2", tags: { team: "orders" } };

export const lifecycleCase: LifecycleCase = {
  inputs: { name: "life" },
  update: { name: "life", versioning: true, tags: { team: "orders" } },
  replace,
  replaceSameName: { ...replace, description: "Another" },
  drift: { change: { anonymous: true }, planned: "update" },
  importId: (id) => id,
};
