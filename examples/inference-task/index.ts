import { getCheckpointsOutput, InferenceTask } from "@kcloud/iac/pulumi";

// Tasks belong to a user of the inference service: SERVICE_USER, or the setting user. They are billed as long as they
// run; removing the task from the program cancels it.
const checkpoint = getCheckpointsOutput().checkpoints.apply(([first = ""]) => first);

const chat = new InferenceTask("chat", {
  model: "chat-small",
  checkpoint,
  ngpu: 1,
  priority: 5,
  // Without waitFor the update ends as soon as the task is accepted.
  waitFor: ["running"],
  // A task that the cloud no longer shows is started, and billed, again; true keeps what is recorded instead.
  keepWhenGone: false,
});

export const url = chat.serviceUrl;
