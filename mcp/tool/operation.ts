import type { Account } from "../account.ts";
import type { OperationCall, Operations } from "../operation/operations.ts";
import { type Previews, validMs } from "../preview.ts";
import type { Arguments, Call, Outcome, Parameter, Tool } from "./tool.ts";

/** Tools that call the operations of the API, for a server that may change something. What destroys needs the digest of its preview. */

const operation: Parameter = {
  type: "text",
  isRequired: true,
  about: "Name of the operation, such as create_volume; list_operations lists them.",
};
const parameters: Parameter = {
  type: "attributes",
  about: 'Parameters, such as {"vpcId": "krn:…"}; describe_operation has their JSON schema.',
};

const textIn = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);
const callIn = ({ operation: name, parameters: values = {} }: Arguments): OperationCall => ({
  operation: String(name),
  parameters: values as OperationCall["parameters"],
});

const again = "Call preview_destruction again, and look at its result. Nothing was sent.";

/** Returns the tools of an account. `previews` are those of the session. */
export function operationTools({ objects }: Pick<Account, "objects">, previews: Previews): Tool[] {
  const within = async <T extends Outcome>(
    work: (operations: Operations) => T | Promise<T>,
  ): Promise<Outcome> => {
    const opened = await objects();
    if ("problem" in opened) return { error: opened.problem };
    const { operations } = opened;
    return operations === undefined ? { error: "The server only reads." } : work(operations);
  };
  return [
    {
      name: "list_operations",
      title: "List operations of the API",
      about:
        "Lists the operations of the API: all by name, or those of a text, an area or an effect with the tools that call them, and reasons why none does.",
      parameters: {
        text: { type: "text", about: "Only operations with this text in their name, area or sentence." },
        area: { type: "text", about: "Only operations of this area, such as volume." },
        effect: { type: "text", values: ["reads", "changes", "destroys"], about: "Only this effect." },
      },
      isOpen: false,
      run: ({ text, area, effect }) =>
        within((operations) =>
          operations.list({ text: textIn(text), area: textIn(area), effect: textIn(effect) }),
        ),
    },
    {
      name: "describe_operation",
      title: "Describe an operation",
      about:
        "Describes an operation: the JSON schema of its parameters, its effect, what it destroys, and whether it is billed.",
      parameters: { operation },
      isOpen: false,
      run: ({ operation: name }) => within((operations) => operations.describe(String(name))),
    },
    {
      name: "read_operation",
      title: "Call an operation that reads",
      about: "Calls an operation that reads, such as get_instance_task_status, and returns its response.",
      parameters: { operation, parameters },
      isOpen: true,
      run: (args, call) => within((operations) => operations.read(callIn(args), call)),
    },
    {
      name: "change",
      title: "Call an operation that changes something",
      about:
        "Calls an operation that creates or changes an object, and destroys nothing. Sends one request. After an error that says that it may have been executed, read the object before you call it again.",
      parameters: { operation, parameters },
      isOpen: true,
      // By the protocol, a call that is not destructive only adds something. One of these may replace a value.
      effect: { isDestructive: true, isIdempotent: false },
      run: (args, call) => within((operations) => operations.change(callIn(args), call)),
    },
    {
      name: "preview_destruction",
      title: "Preview a destruction",
      about: `Reads the object that an operation would destroy and what goes with it, and returns a digest, with which destroy can be called once within ${validMs / 60_000} minutes. Changes nothing.`,
      parameters: { operation, parameters },
      isOpen: true,
      run: (args, call) =>
        within(async (operations) => {
          const preview = await operations.preview(callIn(args), call);
          if ("error" in preview) return preview;
          return {
            data: {
              ...preview.data,
              digest: previews.add(preview.record),
              valid_seconds: validMs / 1000,
              confirmed_by: call.canAsk
                ? "the user of the client, who is asked"
                : "nobody: the client has no form",
            },
          };
        }),
    },
    {
      name: "destroy",
      title: "Destroy an object",
      about:
        "Calls an operation that destroys, with the digest of its preview and the same parameters. Asks the user if the client has forms. Refuses if the object has changed since the preview.",
      parameters: {
        operation,
        parameters,
        digest: { type: "text", isRequired: true, about: "Digest that preview_destruction returned." },
      },
      isOpen: true,
      effect: { isDestructive: true, isIdempotent: true },
      run: (args, call) =>
        within(async (operations) => {
          const checked = await operations.requestOf(callIn(args));
          if ("error" in checked) return checked;
          const preview = previews.find(String(args.digest));
          if ("problem" in preview) return { error: `${preview.problem} ${again}` };
          const { record } = preview;
          if (record.request !== checked.request)
            return { error: `The digest is that of another operation or of other parameters. ${again}` };
          if (preview.state === "asking" && call.answer === undefined)
            return { error: `The digest is used by a call that waits for its user. ${again}` };
          if (call.canAsk && preview.state === "fresh") {
            preview.state = "asking";
            return { question: questionOf(record.about, record.confirmations) };
          }
          const isAnswered = preview.state === "asking";
          // From here on, no other call can use it, even if this one fails.
          preview.state = "used";
          if (isAnswered && !isConfirmed(call.answer, record.confirmations))
            return { error: `The user did not confirm. ${again}` };
          return operations.destroy(callIn(args), record, call);
        }),
    },
  ];
}

const questionOf = (about: string, confirmations: readonly string[]) => ({
  message: `${about}\nTo confirm, type the ID${confirmations.length > 1 ? " or the name" : ""} of the object.`,
  label: confirmations.length > 1 ? "ID or name of the object" : "ID of the object",
});

const isConfirmed = (answer: Call["answer"], confirmations: readonly string[]): boolean =>
  answer?.isAccepted === true && answer.text !== "" && confirmations.includes(answer.text.trim());
