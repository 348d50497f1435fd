/** Checks the terminal: what it is, and what the program has decided about it. */
import type {Environment, InputStream} from '../../../environment.ts';
import {findClipboard, isRemote} from '../../../processes/desktop.ts';
import type {LoadedSettings} from '../../../settings/options/load-settings.ts';
import {describeSource} from '../../../settings/service/describe-settings.ts';
import {
	canDraw,
	decideLinks,
	decidePlain,
	findColorRule,
	findPlainVariable,
} from '../../../terminal/capabilities.ts';
import {checkTmux} from './check-tmux.ts';
import type {Checkup} from './checkup.ts';
import {type Finding, note, ok} from './finding.ts';

export async function checkTerminal({
	environment,
	loaded,
	signal,
}: Checkup): Promise<readonly Finding[]> {
	const {variables} = environment;
	const isPlain = decidePlain(loaded.settings.plain, variables);
	return [
		describeStreams(environment),
		describeType(environment),
		describeSize(environment),
		describeColor(loaded, environment),
		ok('plain lines', isPlain ? `yes (${reasonForPlain(loaded, environment)})` : 'no'),
		ok('keys', isPlain ? 'the terminal itself edits the line' : keyModes),
		ok('links', decideLinks(variables) ? 'OSC 8' : 'none known: addresses are listed as text'),
		describeClipboard(environment),
		...(await checkTmux(environment, signal)),
	];
}

const keyModes = "the terminal is asked for kitty's or xterm's codes";

const inputWords: Readonly<Record<InputStream['kind'], string>> = {
	terminal: 'a terminal',
	data: 'a pipe or file',
	none: 'none',
};

function describeStreams({stdin, stdout, stderr}: Environment): Finding {
	const words = ({isTerminal}: {readonly isTerminal: boolean}) =>
		isTerminal ? 'a terminal' : 'not a terminal';
	return ok(
		'streams',
		`stdin ${inputWords[stdin.kind]}, stdout ${words(stdout)}, stderr ${words(stderr)}`,
	);
}

function describeType({variables}: Environment): Finding {
	const {TERM = '', TERM_PROGRAM, TERM_PROGRAM_VERSION} = variables;
	const program = [TERM_PROGRAM, TERM_PROGRAM_VERSION].filter(Boolean).join(' ');
	if (TERM === '') return note('TERM', 'not set', 'Set it to the name of your terminal.');
	return ok('TERM', program === '' ? TERM : `${TERM}, ${program}`);
}

function describeSize({terminal}: Environment): Finding {
	if (terminal === undefined) return ok('size', 'not known: stdout is not a terminal');
	const {columns, rows} = terminal.size();
	return ok('size', `${columns} columns, ${rows} rows`);
}

function describeColor(loaded: LoadedSettings, {variables}: Environment): Finding {
	const {color} = loaded.settings;
	if (color !== 'auto') return ok('colours', `${color} (${describeSource('color', loaded)})`);
	const rule = findColorRule(variables);
	if (rule === undefined) return ok('colours', 'yes, on a terminal');
	const word = rule.hasColor ? 'yes, on a terminal' : 'no';
	return ok('colours', `${word} (${rule.name}=${variables[rule.name]})`);
}

function reasonForPlain(loaded: LoadedSettings, {variables}: Environment): string {
	const name = findPlainVariable(variables);
	const isChosen = loaded.settings.plain || name === undefined;
	return isChosen ? describeSource('plain', loaded) : `${name}=${variables[name]}`;
}

function describeClipboard(environment: Environment): Finding {
	const name = 'clipboard';
	const {variables} = environment;
	const program = isRemote(environment) ? undefined : findClipboard(environment);
	if (program !== undefined) return ok(name, program);
	if (variables['TMUX']) return ok(name, 'tmux');
	if (canDraw(variables)) return ok(name, 'the terminal (OSC 52), which may refuse');
	return note(name, 'none');
}
