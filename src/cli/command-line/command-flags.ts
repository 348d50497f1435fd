/** The flags of every command, from the rows that describe them. */
import type {OptionRow} from '../../settings/options/option-row.ts';
import {optionRows} from '../../settings/options/option-rows.ts';
import {configRows} from './config-options.ts';
import {doctorRows} from './doctor-options.ts';
import {mcpRows} from './mcp-options.ts';
import {serveRows} from './serve-options.ts';
import {sessionRows} from './session-options.ts';
import {templateRows} from './template-options.ts';

export type CommandName =
	| 'chat'
	| 'serve'
	| 'config'
	| 'auth'
	| 'models'
	| 'setup'
	| 'sessions'
	| 'templates'
	| 'mcp'
	| 'doctor'
	| 'completion';

export type OptionRows = Readonly<Record<string, OptionRow<unknown>>>;

const {baseUrl, profile, insecureHttp, verbose, quiet, output} = optionRows;
const {apiKeyFile, authHeader, header, caFile, connectTimeout} = optionRows;

/** Those of a command that asks the service for its models. */
const serviceRows = {
	baseUrl,
	profile,
	apiKeyFile,
	authHeader,
	header,
	insecureHttp,
	caFile,
	connectTimeout,
};

/** A command that prints lists has no events. */
const listOutput = {...output, summary: 'output: text, json, or jsonl (one line each)'};

/** A command that sends no request has only a mistake of ours to explain. */
const verboseOnly = {...verbose, summary: 'print the stack of an unexpected error'};

export const rowsOfCommand: Readonly<Record<CommandName, OptionRows>> = {
	chat: optionRows,
	serve: serveRows,
	config: {
		...configRows,
		output: listOutput,
		profile: {...profile, summary: 'profile to show or change'},
		verbose: verboseOnly,
	},
	auth: {output: listOutput, baseUrl, profile, insecureHttp, verbose: verboseOnly},
	setup: {
		profile: {...profile, summary: 'profile to store the connection in'},
		authHeader,
		insecureHttp,
		caFile,
		connectTimeout: {
			...connectTimeout,
			summary: 'maximum wait for a connection, and for the list of models',
		},
		verbose: verboseOnly,
	},
	sessions: {...sessionRows, output: listOutput, profile, verbose: verboseOnly},
	templates: {...templateRows, output: listOutput, profile, verbose: verboseOnly},
	mcp: {
		...mcpRows,
		output: listOutput,
		profile,
		insecureHttp: {
			...insecureHttp,
			summary: 'allow plain http to a server on another machine, which shows others what is sent',
		},
		caFile,
		connectTimeout,
		verbose: {...verbose, summary: 'print the requests to servers on stderr, without secrets'},
	},
	models: {output: listOutput, quiet, verbose, ...serviceRows},
	doctor: {
		...doctorRows,
		output: {...output, summary: 'output: text, json (all findings), or jsonl (one line each)'},
		model: {...optionRows.model, summary: 'model to look for'},
		verbose: {...verbose, summary: 'show every check, and the requests on stderr'},
		...serviceRows,
	},
	completion: {},
};

export type Flag = {
	/** The name of its row. */
	readonly name: string;
	/** As help prints it: `-m, --model <name>`. */
	readonly spelling: string;
	/** Without the dashes. */
	readonly long: string;
	readonly short: string | undefined;
	readonly takesValue: boolean;
};

/** Flags that print a text instead of running the command. */
export const textFlags: readonly Flag[] = [
	parseFlag('version', '-V, --version'),
	parseFlag('help', '-h, --help'),
];

export function flagsOf(rows: OptionRows): readonly Flag[] {
	return Object.entries(rows).flatMap(([name, {flags}]) =>
		flags.map((spelling) => parseFlag(name, spelling)),
	);
}

function parseFlag(name: string, spelling: string): Flag {
	const [, short, long = '', value] = /^(?:-(.), )?--(\S+)( <.+>)?$/.exec(spelling) ?? [];
	return {name, spelling, long, short, takesValue: value !== undefined};
}
