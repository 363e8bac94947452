import { scenario } from "../tour.ts";

const types = (...names: readonly string[]) =>
  Object.fromEntries(names.map((name, i) => [`0.groupBy.${i}.flavorname`, name]));

scenario("every region has the public images and instance types, by kind or all", [
  ["list_images", { limit: undefined }, { "images.length": 2, "images.1.name": "Rocky-9" }],
  ["list_images", { page: "2" }, { "images.0.name": "Rocky-9" }],
  ["list_flavors", { type: "CPU" }, { "0.groupBy.length": 3, ...types("c1.small", "c1.medium", "c1.large") }],
  ["list_flavors", { type: undefined }, types("c1.small", "c1.medium", "c1.large", "g1.large")],
  ["list_flavors", { type: "CPU", "x-region": "In-Hyderabad-1" }, { "0.subject": "In-Hyderabad-1" }],
]);
