import { describe, expect, test } from "@jest/globals";
import { explain } from "../../provider/core/error.ts";
import { term } from "../../provider/core/name.ts";
import { reveal, type Values } from "../../provider/core/value.ts";
import { engine } from "../../provider/engine/engine.ts";
import { failure, openCloud, requests, resource } from "../support/cloud.ts";

export const sentences = "The engine is great. It never stops. Ask ana@example.com about it.";

/** One kind of text service: the inputs of a request, its body and its result. */
interface TextService {
  readonly kind: string;
  readonly operation: string;
  readonly written: Values;
  readonly body: object;
  readonly result: Values;
}

function open() {
  const cloud = openCloud();
  return { cloud, create: (kind: string, written: Values) => cloud.run(cloud.create(kind, written)) };
}

/** Tests that each text is one billed request, whose result only the state holds. */
export function testTextService({ kind, operation, written, body, result }: TextService): void {
  describe(kind, () => {
    test("sends one request, and the state holds the result", async () => {
      const { cloud, create } = open();
      const state = await create(kind, written);
      expect(requests(cloud, operation).map((request) => request.body)).toEqual([body]);
      expect(reveal(state.values)).toMatchObject(result);
      expect(state.id).toMatch(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/);
      const definition = resource(kind);
      const read = await cloud.run(engine.read(cloud.reopen(), definition, state, cloud.call));
      const { inputs } = engine.check(definition, written);
      expect(engine.plan(definition, read, inputs, cloud.session).action).toBe("none");
      await cloud.run(engine.delete(cloud.reopen(), definition, state, cloud.call));
      expect(cloud.emulator.log.entries({})).toHaveLength(1);
      expect(cloud.warnings).toEqual([]);
    });

    test("a change of an input replaces, and the plan says that it is billed", async () => {
      const { cloud, create } = open();
      const state = await create(kind, written);
      const [name = ""] = Object.keys(written);
      const { inputs } = engine.check(resource(kind), { ...written, [name]: "another text" });
      const { action, warnings } = engine.plan(resource(kind), state, inputs, cloud.session);
      expect(action).toBe("replace");
      expect(warnings).toMatchObject([
        { summary: `Creating the ${term(kind)} is billed`, detail: "The request is billed." },
      ]);
    });

    test.each(["reset", "500", "502", "html-503", "html-429", "html-200", "cut-json", "wrong-types"])(
      "after %s the request is not sent again",
      async (fault) => {
        const { cloud, create } = open();
        cloud.emulator.faults.add({ target: operation, kind: fault });
        const error = await failure(create(kind, written));
        expect(explain(error).detail).toContain(
          "The request may have been billed. Nothing was recorded in the state.",
        );
        expect(error.state).toBeUndefined();
        expect(requests(cloud, operation)).toHaveLength(1);
      },
    );

    test.each(["503", "429", "401"])("after a %s of the API the request is sent again", async (fault) => {
      const { cloud, create } = open();
      cloud.emulator.faults.add({ target: operation, kind: fault, times: 1 });
      if (fault === "401") {
        // An API key cannot be renewed.
        const error = await failure(create(kind, written));
        expect(explain(error).detail).toContain("Nothing was created.");
      } else {
        await create(kind, written);
        expect(requests(cloud, operation)).toHaveLength(2);
      }
    });

    test("cannot be imported", async () => {
      const { cloud } = open();
      const work = engine.import(cloud.session, resource(kind), "some-id", cloud.call);
      expect(explain(await failure(cloud.run(work))).detail).toContain("exists in the state only");
      expect(cloud.emulator.log.entries({})).toEqual([]);
    });
  });
}
