/** A server tool: its self-description, and how to run it. */
import type {ToolDefinition} from '../chat/message.ts';
import type {Tool} from '../chat/tool.ts';
import {textOutput} from '../chat/tool-output.ts';
import {ChatError, type ErrorKind} from '../errors.ts';
import type {JsonObject} from '../json.ts';
import type {CheckValue} from '../tools/json-schema.ts';
import {shorten} from '../wording.ts';
import {canonicalText, isSameJson} from './fingerprint.ts';
import {describeUnapproved, refreshHint} from './manifest.ts';
import type {ServerTool} from './offer.ts';
import type {Server} from './server.ts';
import {requestName} from './tool-name.ts';

export type ServerToolOptions = {
	readonly server: Server;
	/** The definition that the model sees. */
	readonly offered: ServerTool;
	/** The server's newest definition. */
	readonly current: ServerTool;
	/** Milliseconds for a call without progress; 0: no limit. */
	readonly timeLimitMs: number;
	/** Receives a sentence for the user about a question that was not passed on. */
	readonly onDeclined: (message: string) => void;
};

export function createServerTool(options: ServerToolOptions): Tool {
	const {server, offered, current, timeLimitMs, onDeclined} = options;
	const {entry, saved} = server;
	const {name} = current;
	let check: Promise<CheckValue | undefined> | undefined;
	return {
		definition: defineTool(entry.name, offered),
		get origin() {
			return {entry: saved.fingerprint ?? '', tool: canonicalText(current)};
		},
		unapproved: findDoubt(options),
		async check(values) {
			check ??= compile(current.inputSchema);
			const failure = (await check)?.(values);
			return failure?.isChecked ? failure.problem : undefined;
		},
		async describe(values) {
			// Most runs call no tool.
			const {describeCall} = await import('./describe-server.ts');
			return describeCall(server, current, values);
		},
		async prepare(signal) {
			try {
				await server.connect(signal);
				return undefined;
			} catch (error) {
				return signal.aborted ? stopped : describeFailure(error);
			}
		},
		async run(values, signal, elicit) {
			if (signal.aborted) return textOutput(stopped, true);
			try {
				const connection = await server.connect(signal);
				const present = findTool(server.present()?.offer.tools, name);
				if (present === undefined) return textOutput('The server no longer has this tool.', true);
				if (!isSameJson(present, current)) {
					return textOutput('This call was not run: the tool has changed since.', true);
				}
				return await connection.callTool(name, values, {
					signal,
					timeLimitMs,
					elicit,
					onDeclined(problem) {
						const asked = `server ${entry.name} asked a question and was declined`;
						onDeclined(`${asked}: ${shorten(problem, maxProblem)}`);
					},
				});
			} catch (error) {
				return textOutput(signal.aborted ? stopped : describeFailure(error), true);
			}
		},
	};
}

/** Returns why only an answer to the question about a call lets the tool run. */
function findDoubt({
	server: {entry, saved},
	offered,
	current,
}: ServerToolOptions): Tool['unapproved'] {
	const isSame = isSameJson(current, offered);
	const message = isSame ? undefined : 'the tool has changed since it was approved';
	return describeUnapproved(entry, saved) ?? (message && {message, hint: refreshHint(entry)});
}

const maxProblem = 200;

const stopped = 'The call was stopped.';

/** Errors that the model cannot work around, and the user can. */
const finalKinds: readonly ErrorKind[] = ['auth', 'config', 'bug'];

/** @throws the error, if it ends the turn */
function describeFailure(error: unknown): string {
	if (!(error instanceof ChatError) || finalKinds.includes(error.kind)) throw error;
	return `The server failed: ${error.message}`;
}

function defineTool(server: string, {name, title, description, inputSchema}: ServerTool) {
	const definition: ToolDefinition = {
		name: requestName(server, name),
		description: description ?? title,
		parameters: inputSchema,
	};
	return definition;
}

export function findTool(
	tools: readonly ServerTool[] | undefined,
	wanted: string,
): ServerTool | undefined {
	return tools?.find(({name}) => name === wanted);
}

/** Returns undefined for an unusable schema: then only the server checks the arguments. */
async function compile(schema: JsonObject): Promise<CheckValue | undefined> {
	const {compileSchema} = await import('../tools/json-schema.ts');
	const compiled = await compileSchema(schema);
	return 'check' in compiled ? compiled.check : undefined;
}
