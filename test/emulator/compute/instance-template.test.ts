import { scenario } from "../tour.ts";

const site = ["create_vpc", "create_security_group", "create_ssh_key"];

scenario("a template names parts of its VPC and region, and none of them depends on it", [
  ...site,
  "create_vpc other",
  ["create_security_group", { name: "strange", vpcid: "{vpc other}" }, 201],
  ["create_template", { security_groups: [] }, "400 security_groups: must not be empty"],
  [
    "create_template",
    { security_groups: ["{security_group strange}"] },
    "400 security group strange is not of VPC lan",
  ],
  ["create_template", { volume_size: 0 }, "400 volume_size: must be 1 or more (GB)"],
  ["create_template", { region: "In-Hyderabad-1" }, "400 region: is not that of the header, In-Bangalore-1"],
  ["create_template", { sshkey_name: "x" }, "404 SSH key x not found"],
  ["create_template", { instanceType: "x" }, "404 instance type x not found; there are c1.small,…"],
  ["create_template", { image_krn: "x" }, "404 image x not found; there are krn:vm:…"],
  ["create_template", { user_data: "#!" }, "400 user_data: must be base64", { userDataForm: "base64" }],
  ["create_template", { name: "a-error-429" }, "429 refused because of the name a-error-429"],
  [
    "create_template",
    { user_data: undefined, isGpu: undefined },
    { "config.user_data": "", "config.isGpu": false },
  ],
  ["create_template", {}, "409 template web already exists", { equalNames: false }],
  ["delete_security_group", { group: "{security_group web}" }, 204],
  ["batch_create_instances", {}, "404 security group krn:… not found"],
  ["delete_template", {}, { message: "template deleted" }],
  ["delete_template", { template_krn: "{create_template.template_krn}" }, 404],
]);

scenario("the list has pages of the region, of at most the size of the switch, and lags", [
  ...site,
  ...["a", "b", "c"].map((name) => ["create_template", { name }, 201] as const),
  ["list_templates", { page: "2", limit: "2" }, { "templates.0.name": "c", total_count: 3, page: 2 }],
  ["list_templates", { page: "2", limit: "2" }, { limit: 2 }],
  ["list_templates", { limit: undefined }, { limit: 10 }],
  ["list_templates", { limit: "999" }, { limit: 100 }],
  [
    "list_templates",
    { limit: "999" },
    { "data.length": 2, limit: 2 },
    { templateListShape: "data", templatePageMax: 2 },
  ],
  ["list_templates", { limit: undefined }, { limit: 1 }, { templatePageDefault: 1 }],
  ["list_templates", { "x-region": "In-Hyderabad-1" }, { templates: [], total_count: 0 }],
  { listingLagMs: 3000 },
  ["list_templates", {}, { total_count: 0 }],
  3000,
  ["list_templates", {}, { total_count: 3 }],
  ["delete_template", {}, 200],
  ["list_templates", {}, { total_count: 3 }],
  3000,
  ["list_templates", {}, { total_count: 2 }],
]);
