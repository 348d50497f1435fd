/**
 * `chat doctor`: checks all chat needs, with advice for each problem. Invariant: it only reads,
 * creating no file, folder or lock, and sends no prompt.
 */
import {type ChatError, type ExitCode, toChatError} from '../../../errors.ts';
import {createKeyRedactor, type Redact} from '../../../redact.ts';
import {loadSettings} from '../../../settings/options/load-settings.ts';
import {inGroup, toggle} from '../../../settings/options/option-row.ts';
import {optionRows} from '../../../settings/options/option-rows.ts';
import {type Command, type Invocation, readFlags} from '../../command-line/command.ts';
import {serviceRows} from '../../command-line/shared-rows.ts';
import {untilInterrupted} from '../../run/until-interrupted.ts';
import {checkFiles} from './check-files.ts';
import {checkServers} from './check-servers.ts';
import {checkMachine, checkProgram, checkTemplates, checkTerminal} from './checks-here.ts';
import {checkService, checkSettings} from './checks-service.ts';
import {attempt, type Check, type Checkup, type Finding, openAccess} from './checkup.ts';
import {createReport} from './report.ts';

/** The sections in their order. */
const checks: Readonly<Record<string, Check>> = {
	program: checkProgram,
	files: checkFiles,
	settings: checkSettings,
	terminal: checkTerminal,
	service: checkService,
	'this machine': checkMachine,
	'MCP servers': checkServers,
	templates: checkTemplates,
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
		output: {...output, summary: 'print text, json (all findings), or jsonl (one line each)'},
		model: {...model, summary: 'model to look for'},
		verbose: {...verbose, summary: 'show every check, and the requests on stderr'},
		...serviceRows,
	},
	bare: {args: '', summary: '', run: checkAll},
	verbs: {},
	notes: [
		'A service on this machine is asked for its models; any other only with --online, which also runs the command that prints a key. The exit code is that of the problem to solve first.',
		'To report a problem, attach the output of chat doctor -o json. It contains neither keys nor header values; read it before you publish it.',
	],
	examples: ['chat doctor', 'chat doctor --online', 'chat doctor -o json > doctor.json'],
};

async function checkAll({flags, environment}: Invocation): Promise<ExitCode> {
	const {online: isOnline} = readFlags(onlineRows, flags);
	return await untilInterrupted(environment, async (signal) => {
		const ending = new AbortController();
		const either = AbortSignal.any([signal, ending.signal]);
		const mistakes: ChatError[] = [];
		const loaded = loadSettings(flags, environment, {
			onInvalid: (error) => mistakes.push(toChatError(error)),
		});
		const options = {isOnline, signal: either, environment};
		const [mistake] = mistakes;
		const access =
			mistake === undefined ? openAccess(loaded, options) : Promise.reject<never>(mistake);
		try {
			return await runChecks({...options, loaded, mistakes, access});
		} finally {
			ending.abort();
			await access.then(
				async (opened) => await opened?.close(),
				() => {},
			);
		}
	});
}

/** Starts all checks at once, printing sections in order as they finish. */
async function runChecks(checkup: Checkup): Promise<ExitCode> {
	const {environment, loaded, access} = checkup;
	const redactKeys = createKeyRedactor(environment.variables);
	let redact: Redact = redactKeys;
	access.then(
		(opened) => {
			if (opened !== undefined) redact = (text) => opened.redact(redactKeys(text));
		},
		() => {},
	);
	const report = createReport((text) => redact(text), loaded.settings, environment);
	const running = Object.entries(checks).map(async ([title, check]) => {
		return {title, findings: await attempt(title, checkup, () => check(checkup))};
	});
	// A write error outranks the checks it ends.
	for (const section of running) section.catch(() => {});
	const findings: Finding[] = [];
	for (const section of running) {
		const finished = await section;
		findings.push(...finished.findings);
		await report.add(finished);
	}
	const exitCode = worstOf(findings);
	await report.end(exitCode);
	return exitCode;
}

/** Failure exit codes, the most urgent first. */
const order: readonly ExitCode[] = [1, 78, 77, 66, 65, 76, 69, 75];

function worstOf(findings: readonly Finding[]): ExitCode {
	const codes = new Set(findings.map(({exitCode}) => exitCode));
	codes.delete(0);
	return order.find((code) => codes.has(code)) ?? [...codes][0] ?? 0;
}
