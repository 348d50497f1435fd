/** A server in this process, whose offer a test changes. */
import {untilAborted} from '../../src/abort.ts';
import type {ToolOutput} from '../../src/chat/tool.ts';
import {textOutput} from '../../src/chat/tool-output.ts';
import {ChatError} from '../../src/errors.ts';
import type {CallOptions, Connect} from '../../src/mcp/connection.ts';
import type {Manifest} from '../../src/mcp/manifest.ts';
import type {ServerPrompt, ServerTool} from '../../src/mcp/offer.ts';
import type {ServerEntry} from '../../src/mcp/server-entry.ts';

export const entry = (name: string, changes: Partial<ServerEntry> = {}): ServerEntry => ({
	name,
	file: 'mcp.json',
	access: {type: 'program', argv: ['npx', '-y', name], variables: {}, cwd: undefined},
	includeTools: undefined,
	excludeTools: [],
	...changes,
});

export const echo: ServerTool = {
	name: 'echo',
	description: 'Returns the text',
	inputSchema: {type: 'object', properties: {text: {type: 'string'}}, required: ['text']},
	annotations: {readOnlyHint: true},
};

export const endless: ServerTool = {name: 'endless', inputSchema: {type: 'object'}};

export function manifestOf(tools: readonly ServerTool[]): Manifest {
	return {
		server: {name: 'memory', version: '1.4.2'},
		instructions: undefined,
		offer: {tools, prompts: [], resources: [], resourceTemplates: []},
		readAt: 1,
	};
}

export function createMemoryServer(tools: readonly ServerTool[] = [echo, endless]) {
	const log: string[] = [];
	const listeners = new Set<() => void>();
	let manifest = manifestOf(tools);
	let end: string | undefined;
	let refusal: ChatError | undefined;
	let answering: Promise<void> = Promise.resolve();

	const callTool = async (
		name: string,
		values: object,
		{signal}: CallOptions,
	): Promise<ToolOutput> => {
		log.push(`${name} ${JSON.stringify(values)}`);
		if (end !== undefined) throw new ChatError('unavailable', `the MCP server memory ${end}`);
		if (name !== 'endless') return textOutput(JSON.stringify(values), false);
		await new Promise((resolve) => {
			signal.addEventListener('abort', resolve, {once: true});
			if (signal.aborted) resolve(undefined);
		});
		throw signal.reason;
	};

	const connect: Connect = async ({name}, {signal}) => {
		log.push(`start ${name}`);
		await untilAborted(() => answering, signal);
		if (refusal !== undefined) throw refusal;
		end = undefined;
		return {
			protocolVersion: undefined,
			async readManifest(reading) {
				log.push('list');
				await untilAborted(() => answering, reading);
				return manifest;
			},
			onChange(listener) {
				listeners.add(listener);
				return () => {
					listeners.delete(listener);
				};
			},
			callTool,
			getPrompt: async () => [],
			readResource: async () => [],
			complete: async () => [],
			log: () => ['a line of stderr'],
			endOf: () => end,
			async close() {
				end ??= 'was closed';
				log.push(`close ${name}`);
			},
		};
	};

	return {
		log,
		connect,
		offer(next: readonly ServerTool[]) {
			manifest = manifestOf(next);
		},
		introduce(instructions: string, prompts: readonly ServerPrompt[]) {
			manifest = {...manifest, instructions, offer: {...manifest.offer, prompts}};
		},
		reportChange() {
			for (const listener of listeners) listener();
		},
		crash() {
			end = 'exited with code 1';
		},
		refuse(error: ChatError | undefined) {
			refusal = error;
		},
		/** Makes each start and each list wait until the returned function is called. */
		hold(): () => void {
			let release = () => {};
			answering = new Promise((resolve) => {
				release = resolve;
			});
			return release;
		},
	};
}
