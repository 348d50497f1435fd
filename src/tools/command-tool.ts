/**
 * Makes runnable tools from a tools file. Call arguments are checked against the schema, the
 * command gets them as JSON on stdin, and its output goes back to the model.
 */
import type {ToolDefinition} from '../chat/message.ts';
import type {OfferedTool, Tool, ToolOutput} from '../chat/tool.ts';
import {textOutput} from '../chat/tool-output.ts';
import type {ProcessControl, Variables} from '../environment.ts';
import {ChatError} from '../errors.ts';
import type {JsonObject} from '../json.ts';
import {findStartProblem} from '../processes/find-program.ts';
import {describeFailure, type ProcessEnd, runProcess} from '../processes/run-process.ts';
import {pickVariables} from '../processes/shared-variables.ts';
import {type CommandOrigin, describeCommand, encodeStdin, fillCommand} from './fill-command.ts';
import {type CheckValue, compileSchema} from './json-schema.ts';
import {type FailAt, placeIn, type ToolEntry} from './parse-tools.ts';

export type ToolSettings = {
	/** Absolute working folder for commands. */
	readonly cwd: string;
	/** Variables to choose from; a tool gets only a few. */
	readonly variables: Variables;
	/** Limit for one call; 0: no limit. */
	readonly timeLimitMs: number;
	/** The operating system by Node's name. */
	readonly platform: string;
	readonly processes: ProcessControl;
};

/**
 * Returns the tools; entries without a command cannot run.
 *
 * @throws {ChatError} through `fail`, for an invalid schema or a program that cannot start
 */
export async function createCommandTools(
	entries: readonly ToolEntry[],
	settings: ToolSettings,
	fail: FailAt,
): Promise<readonly OfferedTool[]> {
	const tools: OfferedTool[] = [];
	for (const {definition, place, command, environment} of entries) {
		if (command === undefined) {
			tools.push({definition});
			continue;
		}
		checkProgram(command, placeIn(place, 'command[0]'), settings, fail);
		const parameters: JsonObject = definition.parameters ?? {type: 'object'};
		const compiled = await compileSchema(parameters);
		if ('problem' in compiled) {
			const at = placeIn(placeIn(place, 'function.parameters'), compiled.place);
			return fail(at, compiled.problem);
		}
		const origin = {command, cwd: settings.cwd, environment};
		tools.push(createCommandTool(definition, origin, compiled.check, settings));
	}
	return tools;
}

/** Windows is left out: its program search is different. */
function checkProgram(
	[program = '']: readonly string[],
	place: string,
	{variables, platform}: ToolSettings,
	fail: FailAt,
): void {
	if (platform === 'win32') return;
	const problem = findStartProblem(program, variables['PATH']);
	if (problem !== undefined) fail(place, problem, programHint);
}

const programHint =
	'A relative path starts at the folder of the tools file, and a script must be executable (chmod +x).';

function createCommandTool(
	definition: ToolDefinition,
	origin: CommandOrigin,
	checkValue: CheckValue,
	{variables, timeLimitMs, processes}: ToolSettings,
): Tool {
	const {command, cwd, environment} = origin;
	return {
		definition,
		origin,
		async check(values) {
			const failure = checkValue(values);
			if (failure !== undefined) return failure.problem;
			const filled = fillCommand(command, values);
			return 'problem' in filled ? filled.problem : undefined;
		},
		describe: async (values) => describeCommand(origin, values),
		async run(values, signal) {
			const filled = fillCommand(command, values);
			if ('problem' in filled) return textOutput(filled.problem, true);
			const plan = {
				argv: filled.argv,
				cwd,
				variables: pickVariables(variables, environment),
				stdin: encodeStdin(values),
				timeLimitMs,
				signal,
				processes,
			};
			try {
				return describeEnd(await runProcess(plan), timeLimitMs);
			} catch (error) {
				return describeStart(error as NodeJS.ErrnoException, definition.name, origin);
			}
		},
	};
}

/** Errors that every call would get. */
const lastingCodes: readonly (string | undefined)[] = ['ENOENT', 'EACCES', 'ENOEXEC'];

/** @throws {ChatError} `data` if it can never start: the model cannot change that */
function describeStart(
	{code, message}: NodeJS.ErrnoException,
	name: string,
	{command: [program = ''], cwd}: CommandOrigin,
): ToolOutput {
	if (!lastingCodes.includes(code)) {
		return textOutput(`The tool could not be started: ${message}`, true);
	}
	throw new ChatError('data', `the tool ${name} cannot be started: ${message}`, {
		hint: `Check that ${program} has an interpreter and is executable, and that ${cwd} exists.`,
		code,
	});
}

/** Returns a successful call's bare output; otherwise adds the outcome. */
function describeEnd(end: ProcessEnd, timeLimitMs: number): ToolOutput {
	const stdout = end.stdout.toText();
	const stderr = end.stderr.toText();
	const failure = describeFailure(end, timeLimitMs);
	const parts = [
		...(failure === undefined ? [] : [`[${failure}]`]),
		...(stdout === '' ? [] : [stdout]),
		...(stderr === '' ? [] : [`[stderr]\n${stderr}`]),
	];
	const text = parts.length === 0 ? '[no output]' : parts.join('\n');
	return textOutput(text, failure !== undefined);
}
