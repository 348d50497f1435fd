/** Reads the options of the tmux around this process that change what a terminal gets. */
import type {Environment} from '../../../environment.ts';
import {findProgram} from '../../../processes/find-program.ts';
import {runProcess} from '../../../processes/run-process.ts';
import {withoutKeys} from '../../../redact.ts';
import {type Finding, note, ok} from './finding.ts';

const timeLimitMs = 1000;

type TmuxOption = {
	readonly name: string;
	/** The values with which this is lost. */
	readonly weak: readonly string[];
	readonly loss: string;
	readonly next: string;
};

/** tmux prints a switch as a number. */
const switchWords: Readonly<Record<string, string>> = {'0': 'off', '1': 'on'};

const options: readonly TmuxOption[] = [
	{
		name: 'extended-keys',
		weak: ['off', ''],
		loss: 'Shift-Enter and other keys with modifiers do not arrive',
		next: 'tmux set -s extended-keys on',
	},
	{
		name: 'set-clipboard',
		weak: ['off'],
		loss: 'text cannot be copied through tmux',
		next: 'tmux set -s set-clipboard on',
	},
	{
		name: 'allow-passthrough',
		weak: ['off', ''],
		loss: 'notifications do not reach the terminal; tmux marks the window instead',
		next: 'tmux set -g allow-passthrough on',
	},
];

/** Returns nothing outside of tmux. */
export async function checkTmux(
	environment: Environment,
	signal: AbortSignal,
): Promise<readonly Finding[]> {
	const {variables} = environment;
	if (!variables['TMUX']) {
		return variables['STY'] ? [note('screen', 'GNU screen passes on neither links nor keys')] : [];
	}
	const values = await readOptions(environment, signal);
	if (values === undefined) return [note('tmux', 'TMUX is set, but tmux does not answer')];
	return options.map(({name, weak, loss, next}, index) => {
		const value = switchWords[values[index] ?? ''] ?? values[index] ?? '';
		const words = `${name} ${value === '' ? 'is unknown to this version' : value}`;
		return weak.includes(value) ? note('tmux', `${words}: ${loss}`, next) : ok('tmux', words);
	});
}

async function readOptions(
	{variables, cwd, processes}: Environment,
	signal: AbortSignal,
): Promise<readonly string[] | undefined> {
	const program = findProgram('tmux', variables['PATH']);
	if (program === undefined) return undefined;
	const format = options.map(({name}) => `#{${name}}`).join('\n');
	const pane = variables['TMUX_PANE'];
	const target = pane === undefined ? [] : ['-t', pane];
	const argv = [program, 'display-message', '-p', ...target, format];
	const plan = {argv, cwd, stdin: '', timeLimitMs, signal, processes};
	try {
		const end = await runProcess({...plan, variables: withoutKeys(variables)});
		return end.exitCode === 0 ? end.stdout.toText().trimEnd().split('\n') : undefined;
	} catch {
		return undefined;
	}
}
