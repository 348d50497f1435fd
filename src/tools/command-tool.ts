/**
 * A tool of the tools file as one that can be run: its arguments are checked against its schema, its
 * command gets them as JSON on stdin, and the model is told what came of it.
 *
 * A tool of another kind is another maker of a `RunnableTool`, beside this one.
 */
import {encodeStdin, fillCommand} from '../chat/fill-command.ts';
import type {RunnableTool, ToolDefinition, ToolOutput} from '../chat/tool.ts';
import type {JsonObject} from '../json.ts';
import {type CheckValue, compileSchema} from './json-schema.ts';
import type {Fail, ToolEntry} from './parse-tools.ts';
import {type ProcessEnd, runProcess} from './run-process.ts';

export type ToolSettings = {
	/** Where commands run, absolute. */
	readonly cwd: string;
	/** The variables that the allowed ones are taken from. */
	readonly variables: Readonly<Record<string, string | undefined>>;
	/** Of one call; 0: none. */
	readonly timeLimitMs: number;
};

/** What programs need to find their way; no key is among them. */
const sharedVariables: readonly string[] = [
	'HOME',
	'LANG',
	'LC_ALL',
	'LC_CTYPE',
	'LOGNAME',
	'PATH',
	'SHELL',
	'SYSTEMROOT',
	'TMPDIR',
	'TZ',
	'USER',
];

/**
 * The tools of the file that have a command.
 *
 * @throws {ChatError} through `fail`, for parameters that are no JSON Schema
 */
export async function createCommandTools(
	entries: readonly ToolEntry[],
	settings: ToolSettings,
	fail: Fail,
): Promise<readonly RunnableTool[]> {
	const tools: RunnableTool[] = [];
	for (const {tool, place, command, environment} of entries) {
		if (command === undefined) continue;
		const parameters: JsonObject = tool.parameters ?? {type: 'object'};
		const compiled = await compileSchema(parameters);
		if ('problem' in compiled) {
			const at = [`${place}.function.parameters`, compiled.place].filter((part) => part !== '');
			return fail(at.join('.'), compiled.problem);
		}
		const definition = {...tool, command, cwd: settings.cwd, environment};
		tools.push(createCommandTool(definition, compiled.check, settings));
	}
	return tools;
}

function createCommandTool(
	definition: ToolDefinition,
	checkValue: CheckValue,
	{variables, timeLimitMs}: ToolSettings,
): RunnableTool {
	const {command, cwd, environment} = definition;
	return {
		definition,
		check(values) {
			const misfit = checkValue(values);
			if (misfit !== undefined) return misfit.problem;
			const filled = fillCommand(command, values);
			return 'problem' in filled ? filled.problem : undefined;
		},
		async run(values, signal) {
			const filled = fillCommand(command, values);
			if ('problem' in filled) return {output: filled.problem, isError: true};
			const plan = {
				argv: filled.argv,
				cwd,
				variables: pickVariables(variables, [...sharedVariables, ...environment]),
				stdin: encodeStdin(values),
				timeLimitMs,
				signal,
			};
			try {
				return describeEnd(await runProcess(plan), timeLimitMs);
			} catch (error) {
				return {
					output: `The tool could not be started: ${(error as Error).message}`,
					isError: true,
				};
			}
		},
	};
}

function pickVariables(
	variables: ToolSettings['variables'],
	names: readonly string[],
): Readonly<Record<string, string>> {
	const picked: Record<string, string> = {};
	for (const name of names) {
		const value = variables[name];
		if (value !== undefined) picked[name] = value;
	}
	return picked;
}

/** The output of a tool that did well is told as it is; all else is said around it. */
function describeEnd(end: ProcessEnd, timeLimitMs: number): ToolOutput {
	const stdout = end.stdout.toText();
	const stderr = end.stderr.toText();
	const failure = describeFailure(end, timeLimitMs);
	const parts = [
		...(failure === undefined ? [] : [`[${failure}]`]),
		...(stdout === '' ? [] : [stdout]),
		...(stderr === '' ? [] : [`[stderr]\n${stderr}`]),
	];
	return {
		output: parts.length === 0 ? '[no output]' : parts.join('\n'),
		isError: failure !== undefined,
	};
}

function describeFailure(
	{exitCode, signal, stoppedBy}: ProcessEnd,
	timeLimitMs: number,
): string | undefined {
	switch (stoppedBy) {
		case 'time':
			return `stopped: it ran for more than ${timeLimitMs / 1000} s`;
		case 'flood':
			return 'stopped: it wrote more than 10 MiB';
		case 'abort':
			return 'stopped by the user';
		case undefined:
			if (exitCode === 0) return undefined;
			return exitCode === null ? `ended by ${signal}` : `exit code ${exitCode}`;
		default:
			return stoppedBy satisfies never;
	}
}
