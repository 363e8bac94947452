"""Calls tools of a server with the client of PyPI. Reads the server and the calls from standard input as JSON, and prints the results."""

import asyncio
import json
import sys

from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp.shared._httpx_utils import create_mcp_http_client
from mcp.types import ElicitResult


def transport(server):
    if "url" not in server:
        return StdioServerParameters(**server)
    http = create_mcp_http_client(headers={"Authorization": f"Bearer {server['key']}"})
    return streamable_http_client(server["url"], http_client=http)


async def destroy(given):
    """Creates an SSH key with the name, and destroys it twice: the user answers with another name, and with this one."""
    asked = []
    name = given["name"]

    async def answer(context, params):
        asked.append(params.message)
        return ElicitResult(action="accept", content={"confirm": "another" if len(asked) == 1 else name})

    async with Client(transport(given["server"]), mode=given["mode"], elicitation_callback=answer) as client:

        async def call(tool, arguments):
            return (await client.call_tool(tool, arguments)).structured_content

        created = await call("change", {"operation": "create_ssh_key", "parameters": {"keyName": name, "publicKey": given["public_key"]}})
        target = {"operation": "delete_ssh_key", "parameters": {"uuid": created["response"]["uuid"]}}
        results = []
        for _ in range(2):
            preview = await call("preview_destruction", target)
            results.append(await call("destroy", {**target, "digest": preview["digest"]}))
        return {"version": client.protocol_version, "asked": asked, "results": results}


async def main(given):
    if "name" in given:
        return await destroy(given)
    async with Client(transport(given["server"]), mode=given["mode"]) as client:
        tools = (await client.list_tools()).tools
        progress = []

        async def report(value, total, message):
            progress.append(message)

        results = []
        for name, arguments in given["calls"]:
            result = await client.call_tool(name, arguments, progress_callback=report)
            results.append({"is_error": bool(result.is_error), "content": result.structured_content})
        resources = (await client.list_resources()).resources
        page = await client.read_resource("kcloud://docs/guides/secrets")
        prompt = await client.get_prompt("review_plan", {})
        return {
            "version": client.protocol_version,
            "tools": [tool.name for tool in tools],
            "results": results,
            "resources": len(resources),
            "page": page.contents[0].text[:40],
            "prompt": len(prompt.messages),
            "progress": progress,
        }


print(json.dumps(asyncio.run(main(json.load(sys.stdin)))))
