/**
 * `chat doctor`: checks what `chat` needs, and says what to do about each problem.
 *
 * Invariant: it only reads. It creates no file, no folder and no lock, and sends no prompt.
 */
import {type ChatError, type ExitCode, toChatError} from '../../../errors.ts';
import {printError} from '../../../output/print.ts';
import {createStdoutWriter} from '../../../output/streams.ts';
import {createKeyRedactor, type Redact} from '../../../redact.ts';
import {loadValidSettings} from '../../../settings/options/load-settings.ts';
import {inGroup, toggle} from '../../../settings/options/option-row.ts';
import {optionRows} from '../../../settings/options/option-rows.ts';
import {type Command, type Invocation, readFlags} from '../../command-line/command.ts';
import {serviceRows} from '../../command-line/shared-rows.ts';
import {untilInterrupted} from '../../run/until-interrupted.ts';
import type {Check, Checkup} from './checkup.ts';
import {type Finding, fail} from './finding.ts';
import {createReportFormat, type Section} from './format-report.ts';
import {openAccess} from './open-access.ts';

/** The sections in their order. */
const checks: Readonly<Record<string, () => Promise<Check>>> = {
	program: async () => (await import('./check-program.ts')).checkProgram,
	files: async () => (await import('./check-files.ts')).checkFiles,
	settings: async () => (await import('./check-settings.ts')).checkSettings,
	terminal: async () => (await import('./check-terminal.ts')).checkTerminal,
	service: async () => (await import('./check-service.ts')).checkService,
	'this machine': async () => (await import('./check-machine.ts')).checkMachine,
	'MCP servers': async () => (await import('./check-servers.ts')).checkServers,
	templates: async () => (await import('./check-templates.ts')).checkTemplates,
};

const onlineRows = inGroup('Options', {
	online: toggle(false, {
		flags: ['--online'],
		summary: 'also ask a service that is not on this machine, which sends it the key',
	}),
});

const {output, model, verbose} = optionRows;

export const doctor: Command = {
	name: 'doctor',
	description:
		'Checks the program, its files, the settings, the terminal, the service and the templates, and says what to do about each problem. Changes nothing, and sends no prompt.',
	flags: {
		...onlineRows,
		output: {...output, summary: 'output: text, json (all findings), or jsonl (one line each)'},
		model: {...model, summary: 'model to look for'},
		verbose: {...verbose, summary: 'show every check, and the requests on stderr'},
		...serviceRows,
	},
	bare: {args: '', summary: '', run: checkAll},
	verbs: {},
	notes: [
		'A service on this machine is asked for its models; any other only with --online, which also runs the command that prints a key. The exit code is that of the problem to solve first.',
		'A report of a problem needs the output of -o json. It has neither keys nor values of headers; read it before you publish it.',
	],
	examples: ['chat doctor', 'chat doctor --online', 'chat doctor -o json > doctor.json'],
};

async function checkAll({flags, environment}: Invocation): Promise<ExitCode> {
	const {online: isOnline} = readFlags(onlineRows, flags);
	return await untilInterrupted(environment, async (signal) => {
		const ending = new AbortController();
		const either = AbortSignal.any([signal, ending.signal]);
		const mistakes: ChatError[] = [];
		const loaded = loadValidSettings(flags, environment, (error) =>
			mistakes.push(toChatError(error)),
		);
		const options = {isOnline, signal: either, environment};
		const [mistake] = mistakes;
		const access =
			mistake === undefined ? openAccess(loaded, options) : Promise.reject<never>(mistake);
		try {
			return await report({...options, loaded, mistakes, access});
		} finally {
			ending.abort();
			await access.then(
				({close}) => close(),
				() => {},
			);
		}
	});
}

/** Starts all checks at once, and prints each section when it and those before it are finished. */
async function report(checkup: Checkup): Promise<ExitCode> {
	const {environment, loaded, access} = checkup;
	const redactKeys = createKeyRedactor(environment.variables);
	let redact: Redact = redactKeys;
	access.then(
		(opened) => {
			redact = (text) => opened.redact(redactKeys(text));
		},
		() => {},
	);
	const format = createReportFormat((text) => redact(text), loaded.settings, environment);
	const writer = createStdoutWriter(environment.stdout);
	const running = Object.entries(checks).map(async ([title, load]): Promise<Section> => {
		return {title, findings: await run(title, load, checkup)};
	});
	// The first failure to write is reported, not that of a check which it ends.
	for (const section of running) section.catch(() => {});
	const sections: Section[] = [];
	for (const section of running) {
		sections.push(await section);
		await writer.write(format.section(sections));
	}
	const findings = sections.flatMap((section) => section.findings);
	const exitCode = worstOf(findings);
	await writer.write(format.end(sections, exitCode));
	return exitCode;
}

async function run(
	title: string,
	load: () => Promise<Check>,
	checkup: Checkup,
): Promise<readonly Finding[]> {
	try {
		const check = await load();
		return await check(checkup);
	} catch (error) {
		const {signal, loaded, environment} = checkup;
		signal.throwIfAborted();
		const failure = toChatError(error);
		const isBug = failure.kind === 'bug';
		if (isBug && loaded.settings.verbose) printError(failure, undefined, true, environment);
		return [await fail(title, failure)];
	}
}

/** The exit codes of failures, the one to look at first in front. */
const order: readonly ExitCode[] = [1, 78, 77, 66, 65, 76, 69, 75];

function worstOf(findings: readonly Finding[]): ExitCode {
	const codes = new Set(findings.map(({exitCode}) => exitCode));
	codes.delete(0);
	return order.find((code) => codes.has(code)) ?? [...codes][0] ?? 0;
}
