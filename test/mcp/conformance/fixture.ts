import { Server, type ServerContext } from "@modelcontextprotocol/server";

/** Server with the tools, resources and prompts that the official suite calls, which this product does not have. */

const png =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";
const wav = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=";

const text = (words: string) => ({ type: "text" as const, text: words });
const image = { type: "image" as const, data: png, mimeType: "image/png" };
const resource = (uri: string, mimeType: string, words: string) => ({
  type: "resource" as const,
  resource: { uri, mimeType, text: words },
});
const pause = () => new Promise((resolve) => setTimeout(resolve, 50));

type Content =
  | ReturnType<typeof text>
  | typeof image
  | ReturnType<typeof resource>
  | { type: "audio"; data: string; mimeType: string };
type Run = (context: ServerContext, args: Record<string, unknown>) => Promise<readonly Content[]>;

const elicit =
  (properties: Record<string, object>, required: string[] = []): Run =>
  async ({ mcpReq }, { message = "Please provide your information" }) => {
    const { action, content } = await mcpReq.elicitInput({
      message: String(message),
      requestedSchema: { type: "object", properties, required } as never,
    });
    return [text(`Elicitation completed: action=${action}, content=${JSON.stringify(content)}`)];
  };

const options = ["option1", "option2", "option3"];
const titled = ["First", "Second", "Third"].map((title, index) => ({ const: `value${index + 1}`, title }));

const tools: Readonly<Record<string, Run>> = {
  test_simple_text: async () => [text("This is a simple text response for testing.")],
  test_image_content: async () => [image],
  test_audio_content: async () => [{ type: "audio", data: wav, mimeType: "audio/wav" }],
  test_embedded_resource: async () => [
    resource("test://embedded-resource", "text/plain", "This is an embedded resource content."),
  ],
  test_multiple_content_types: async () => [
    text("Multiple content types test:"),
    image,
    resource("test://mixed-content-resource", "application/json", '{"test":"data","value":123}'),
  ],
  async test_tool_with_logging({ mcpReq }) {
    await mcpReq.log("info", "Tool execution started");
    await pause();
    await mcpReq.log("info", "Tool processing data");
    await pause();
    await mcpReq.log("info", "Tool execution completed");
    return [text("done")];
  },
  test_error_handling: () =>
    Promise.reject(new Error("This tool intentionally returns an error for testing")),
  async test_tool_with_progress({ mcpReq }) {
    const { progressToken } = mcpReq._meta ?? {};
    for (const progress of [0, 50, 100]) {
      if (progressToken !== undefined)
        await mcpReq.notify({
          method: "notifications/progress",
          params: { progressToken, progress, total: 100 },
        });
      await pause();
    }
    return [text("done")];
  },
  async test_sampling({ mcpReq }, { prompt }) {
    const { content } = await mcpReq.requestSampling({
      messages: [{ role: "user", content: text(String(prompt)) }],
      maxTokens: 100,
    });
    return [text(`LLM response: ${JSON.stringify(content)}`)];
  },
  test_elicitation: elicit(
    {
      username: { type: "string", description: "User's response" },
      email: { type: "string", description: "User's email address" },
    },
    ["username", "email"],
  ),
  test_elicitation_sep1034_defaults: elicit({
    name: { type: "string", default: "John Doe" },
    age: { type: "integer", default: 30 },
    score: { type: "number", default: 95.5 },
    status: { type: "string", enum: ["active", "inactive", "pending"], default: "active" },
    verified: { type: "boolean", default: true },
  }),
  test_elicitation_sep1330_enums: elicit({
    untitledSingle: { type: "string", enum: options },
    titledSingle: { type: "string", oneOf: titled },
    legacyEnum: {
      type: "string",
      enum: ["opt1", "opt2", "opt3"],
      enumNames: ["Option One", "Option Two", "Option Three"],
    },
    untitledMulti: { type: "array", items: { type: "string", enum: options } },
    titledMulti: { type: "array", items: { anyOf: titled } },
  }),
  test_reconnection: async () => [text("Reconnection test completed")],
  json_schema_2020_12_tool: async () => [text("done")],
};

const schema2020 = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object" as const,
  $defs: {
    address: { type: "object", properties: { street: { type: "string" }, city: { type: "string" } } },
  },
  properties: { name: { type: "string" }, address: { $ref: "#/$defs/address" } },
  additionalProperties: false,
};

const contents: Readonly<Record<string, object>> = {
  "test://static-text": {
    mimeType: "text/plain",
    text: "This is the content of the static text resource.",
  },
  "test://static-binary": { mimeType: "image/png", blob: png },
  "test://watched-resource": { mimeType: "text/plain", text: "watched" },
};

const prompts: Readonly<Record<string, (args: Record<string, string>) => readonly Content[]>> = {
  test_simple_prompt: () => [text("This is a simple prompt for testing.")],
  test_prompt_with_arguments: ({ arg1, arg2 }) => [
    text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`),
  ],
  test_prompt_with_embedded_resource: ({ resourceUri = "" }) => [
    resource(resourceUri, "text/plain", "Embedded resource content for testing."),
    text("Please process the embedded resource above."),
  ],
  test_prompt_with_image: () => [image, text("Please analyze the image above.")],
};

export function fixtureServer(): Server {
  const capabilities = {
    tools: {},
    resources: { subscribe: true },
    prompts: {},
    logging: {},
    completions: {},
  };
  const server = new Server({ name: "fixture", version: "1" }, { capabilities });
  server.setRequestHandler("tools/list", () => ({
    tools: Object.keys(tools).map((name) => ({
      name,
      description: name,
      inputSchema: name === "json_schema_2020_12_tool" ? schema2020 : { type: "object" as const },
    })),
  }));
  server.setRequestHandler("tools/call", async ({ params }, context) => {
    try {
      return { content: [...((await tools[params.name]?.(context, params.arguments ?? {})) ?? [])] };
    } catch (error) {
      return { isError: true, content: [text(error instanceof Error ? error.message : String(error))] };
    }
  });
  server.setRequestHandler("resources/list", () => ({
    resources: Object.keys(contents).map((uri) => ({ uri, name: uri, description: uri })),
  }));
  server.setRequestHandler("resources/templates/list", () => ({
    resourceTemplates: [{ uriTemplate: "test://template/{id}/data", name: "template" }],
  }));
  server.setRequestHandler("resources/read", ({ params: { uri } }) => {
    const [, id] = /^test:\/\/template\/(.*)\/data$/.exec(uri) ?? [];
    const found =
      id === undefined
        ? contents[uri]
        : {
            mimeType: "application/json",
            text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }),
          };
    return { contents: [{ uri, ...found }] as never };
  });
  server.setRequestHandler("resources/subscribe", () => ({}));
  server.setRequestHandler("resources/unsubscribe", () => ({}));
  server.setRequestHandler("prompts/list", () => ({
    prompts: Object.keys(prompts).map((name) => ({ name, description: name })),
  }));
  server.setRequestHandler("prompts/get", ({ params }) => ({
    messages: (prompts[params.name]?.(params.arguments ?? {}) ?? []).map((content) => ({
      role: "user" as const,
      content,
    })),
  }));
  server.setRequestHandler("completion/complete", () => ({
    completion: { values: ["paris", "park", "party"], total: 150, hasMore: false },
  }));
  return server;
}
