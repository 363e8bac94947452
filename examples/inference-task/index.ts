import { getCheckpointsOutput, InferenceTask } from "@kcloud/iac/pulumi";

// Tasks belong to a user of the inference service: SERVICE_USER, or the setting user. They are billed until they
// end; removing the task from the program cancels it.
const checkpoint = getCheckpointsOutput().checkpoints.apply(([first = ""]) => first);

const chat = new InferenceTask("chat", {
  model: "chat-small",
  checkpoint,
  ngpu: 1,
  priority: 5,
  // Without waitFor the update ends as soon as the task is accepted.
  waitFor: ["running"],
  // If false, a task that the API no longer shows is started, and billed, again.
  keepWhenGone: false,
});

export const url = chat.serviceUrl;
