/** Behaviour that a turn, an approval and the end of a run rely on in every `ToolSource`. */
import {describe, expect, it, onTestFinished} from 'vitest';
import {declineElicitation as decline} from '../../src/chat/elicitation.ts';
import type {OfferedTool, Tool, ToolSource} from '../../src/chat/tool.ts';
import {runnableTools} from '../../src/chat/tool-sources.ts';
import type {JsonObject} from '../../src/json.ts';

export type SourceUnderTest<Source extends ToolSource> = {
	open(): Promise<Source>;
	/** A call that succeeds, and arguments that do not fit its tool. */
	readonly call: Call & {readonly unfit: JsonObject};
	/** A call that ends only when it is stopped. */
	readonly endless: Call;
	/** Changes the list; absent if the list never changes. */
	change?(source: Source): void;
};

type Call = {readonly name: string; readonly values: JsonObject};

export function describeToolSource<Source extends ToolSource>(
	name: string,
	{open, call, endless, change}: SourceUnderTest<Source>,
): void {
	async function openForTest(): Promise<Source> {
		const source = await open();
		onTestFinished(() => source.close());
		return source;
	}

	describe(`the tools of ${name}`, () => {
		it('have different names that services accept, and objects as arguments', async () => {
			const {tools} = await openForTest();
			const names = tools.map(({definition}) => definition.name);
			expect(new Set(names).size).toBe(names.length);
			for (const {definition} of tools) {
				expect(definition.name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
				expect(definition.parameters?.['type'] ?? 'object').toBe('object');
			}
		});

		it('have identities that JSON keeps, and that stay while the list does', async () => {
			const source = await openForTest();
			const before = identities(source.tools);
			await run(pick(source, call), call.values, new AbortController().signal);
			expect(identities(source.tools)).toEqual(before);
			expect(JSON.parse(JSON.stringify(before))).toEqual(before);
		});

		it('check the arguments of a call', async () => {
			const tool = pick(await openForTest(), call);
			expect(await tool.check(call.values)).toBeUndefined();
			expect(await tool.check(call.unfit)).toMatch(/\w/);
		});

		it('describe all of a call without running it, the same each time', async () => {
			const tool = pick(await openForTest(), call);
			const lines = await tool.describe(call.values);
			expect(await tool.describe(call.values)).toEqual(lines);
			for (const {label} of lines) expect(label).toMatch(/^[a-z]{0,7}$/);
			const shown = lines.map(({text}) => text).join('\n');
			for (const value of Object.values(call.values)) expect(shown).toContain(String(value));
		});

		it('return parts that JSON keeps', async () => {
			const tool = pick(await openForTest(), call);
			const result = await run(tool, call.values, new AbortController().signal);
			expect(result.isError).toBe(false);
			expect(result.parts.length).toBeGreaterThan(0);
			for (const {type} of result.parts) expect(type).toMatch(/^(?:text|image|json)$/);
			expect(JSON.parse(JSON.stringify(result))).toEqual(result);
		});

		it('resolve when they are stopped, before and during a call', async () => {
			const tool = pick(await openForTest(), endless);
			const stopped = await tool.run(endless.values, AbortSignal.abort(), decline);
			expect(stopped.isError).toBe(true);
			await tool.prepare?.(new AbortController().signal);
			const interrupt = new AbortController();
			const running = tool.run(endless.values, interrupt.signal, decline);
			setImmediate(() => interrupt.abort());
			expect((await running).isError).toBe(true);
		});

		it('are closed more than once without a failure', async () => {
			const source = await openForTest();
			await source.close();
			await source.close();
		});

		if (change === undefined) return;
		it('change as one list, which listeners hear of until they leave', async () => {
			const source = await openForTest();
			const before = source.tools;
			const heard: Array<readonly OfferedTool[]> = [];
			const stop = source.onChange(() => heard.push(source.tools));
			change(source);
			expect(heard.map(identities)).toEqual([identities(source.tools)]);
			expect(identities(source.tools)).not.toEqual(identities(before));
			stop();
			change(source);
			expect(heard).toHaveLength(1);
		});
	});
}

function pick(source: ToolSource, {name}: Call): Tool {
	const tool = runnableTools(source.tools).find(({definition}) => definition.name === name);
	if (tool === undefined) throw new Error(`there is no tool ${name}`);
	return tool;
}

/** Runs an approved call. */
async function run(tool: Tool, values: JsonObject, signal: AbortSignal) {
	await tool.prepare?.(signal);
	return await tool.run(values, signal, decline);
}

function identities(tools: readonly OfferedTool[]): readonly object[] {
	return tools.map((tool) => ({
		definition: tool.definition,
		...('origin' in tool ? {origin: tool.origin} : {}),
	}));
}
