/** Checks what is on this machine: the program, the terminal, local services and templates. */
import {existsSync, realpathSync} from 'node:fs';
import {arch, release} from 'node:os';
import {dirname, join, sep} from 'node:path';
import type {Environment, InputStream} from '../../../environment.ts';
import {ChatError} from '../../../errors.ts';
import {isLoopback} from '../../../loopback.ts';
import {findClipboard, isRemote} from '../../../processes/desktop.ts';
import {type LocalProvider, localProviders} from '../../../providers.ts';
import {compiledCodePath} from '../../../settings/files/config-path.ts';
import type {LoadedSettings} from '../../../settings/options/load-settings.ts';
import {placesOf} from '../../../settings/options/parse-service.ts';
import {describeSource} from '../../../settings/service/describe-settings.ts';
import {findTemplates} from '../../../templates/find-templates.ts';
import {readTemplates} from '../../../templates/read-template.ts';
import {
	canDraw,
	decideLinks,
	decidePlain,
	findColorRule,
	findPlainVariable,
} from '../../../terminal/capabilities.ts';
import {version} from '../../../version.ts';
import {plural} from '../../../wording.ts';
import {findLocal} from '../../run/service/find-local.ts';
import {findMistake} from '../../run/template/named-files.ts';
import {findPlaces} from '../../run/template/template-places.ts';
import {type Checkup, type Finding, fail, note, ok} from './checkup.ts';

/** Checks the program itself: version, place and runtime. */
export async function checkProgram({environment}: Checkup): Promise<readonly Finding[]> {
	const {program, platform} = environment;
	// Missing in older Node versions.
	const sea = await import('node:sea').catch(() => undefined);
	const isSingleFile = sea?.isSea() === true;
	const path = isSingleFile ? program.nodePath : resolveLinks(program.path);
	return [
		ok('version', `chat ${version}`),
		ok('installed', isSingleFile ? `as a single file, ${path}` : describeInstall(path)),
		ok('Node', `${program.nodeVersion}${isSingleFile ? '' : ` at ${program.nodePath}`}`),
		ok('system', `${platform} ${release()} ${arch()}`),
		isSingleFile ? ok(cacheName, 'in the file itself') : describeCache(environment),
	];
}

function resolveLinks(path: string | undefined): string | undefined {
	try {
		return path && realpathSync(path);
	} catch {
		return path;
	}
}

/** Ways of installing the program; the first matching row counts. */
const installs: ReadonlyArray<readonly [fits: (path: string) => boolean, words: string]> = [
	[(path) => path.includes(`${sep}_npx${sep}`), 'by npx'],
	[(path) => path.includes(`${sep}node_modules${sep}`), 'by npm'],
	[(path) => existsSync(join(dirname(dirname(path)), '.git')), 'as a clone'],
	[() => true, 'as an unpacked package'],
];

function describeInstall(path: string | undefined): string {
	if (path === undefined) return 'in an unknown place';
	const words = installs.find(([fits]) => fits(path))?.[1];
	return `${words}, ${path}`;
}

const cacheName = 'compiled code';

function describeCache(environment: Environment): Finding {
	const {nodeVersion} = environment.program;
	const [major = 0, minor = 0] = nodeVersion.split('.').map(Number);
	const path = compiledCodePath(environment);
	if (major < 22 || (major === 22 && minor < 8)) {
		return ok(cacheName, 'not kept: that needs Node 22.8 or newer');
	}
	if (environment.variables['NODE_DISABLE_COMPILE_CACHE']) {
		return note(cacheName, 'not kept, so each start is slower: NODE_DISABLE_COMPILE_CACHE is set');
	}
	if (path === undefined) return note(cacheName, 'not kept: there is no home folder');
	const rest = existsSync(path) ? '' : ' from the next run on';
	return ok(cacheName, `kept in ${path}${rest}`);
}

/** Checks the terminal and chat's use of it. */
export function checkTerminal({environment, loaded}: Checkup): readonly Finding[] {
	const {variables, terminal} = environment;
	const isPlain = decidePlain(loaded.settings.plain, variables);
	const {columns, rows} = terminal?.size() ?? {};
	return [
		ok('streams', describeStreams(environment)),
		describeType(environment),
		ok(
			'size',
			columns ? `${columns} columns, ${rows} rows` : 'not known: stdout is not a terminal',
		),
		ok('colours', describeColor(loaded, environment)),
		ok('plain lines', isPlain ? `yes (${reasonForPlain(loaded, environment)})` : 'no'),
		ok(
			'keys',
			isPlain
				? 'the terminal itself edits the line'
				: "the terminal is asked for kitty's or xterm's codes",
		),
		ok('links', decideLinks(variables) ? 'OSC 8' : 'none known: addresses are listed as text'),
		describeClipboard(environment),
	];
}

const inputWords: Readonly<Record<InputStream['kind'], string>> = {
	terminal: 'a terminal',
	data: 'a pipe or file',
	none: 'none',
};

function describeStreams({stdin, stdout, stderr}: Environment): string {
	const words = ({isTerminal}: {readonly isTerminal: boolean}) =>
		isTerminal ? 'a terminal' : 'not a terminal';
	return `stdin ${inputWords[stdin.kind]}, stdout ${words(stdout)}, stderr ${words(stderr)}`;
}

function describeType({variables}: Environment): Finding {
	const {TERM = '', TERM_PROGRAM, TERM_PROGRAM_VERSION} = variables;
	const program = [TERM_PROGRAM, TERM_PROGRAM_VERSION].filter(Boolean).join(' ');
	if (TERM === '') return note('TERM', 'not set', 'Set it to the name of your terminal.');
	return ok('TERM', program === '' ? TERM : `${TERM}, ${program}`);
}

function describeColor(loaded: LoadedSettings, {variables}: Environment): string {
	const {color} = loaded.settings;
	if (color !== 'auto') return `${color} (${describeSource('color', loaded)})`;
	const rule = findColorRule(variables);
	if (rule === undefined) return 'yes, on a terminal';
	const word = rule.hasColor ? 'yes, on a terminal' : 'no';
	return `${word} (${rule.name}=${variables[rule.name]})`;
}

function reasonForPlain(loaded: LoadedSettings, {variables}: Environment): string {
	const name = findPlainVariable(variables);
	const isChosen = loaded.settings.plain || name === undefined;
	return isChosen ? describeSource('plain', loaded) : `${name}=${variables[name]}`;
}

function describeClipboard(environment: Environment): Finding {
	const {variables} = environment;
	const program = isRemote(environment) ? undefined : findClipboard(environment);
	const way = program ?? (variables['TMUX'] ? 'tmux' : undefined);
	if (way !== undefined) return ok('clipboard', way);
	if (canDraw(variables)) return ok('clipboard', 'the terminal (OSC 52), which may refuse');
	return note('clipboard', 'none');
}

/** Looks for services on this machine. */
export async function checkMachine(checkup: Checkup): Promise<readonly Finding[]> {
	const findings = await Promise.all(localProviders.map((provider) => look(provider, checkup)));
	const all = findings.flat();
	return all.length > 0 ? all : [ok('services', 'none answers')];
}

async function look(
	{name, title}: LocalProvider,
	{environment, signal}: Checkup,
): Promise<readonly Finding[]> {
	try {
		const places = placesOf(`${name}:`, environment.variables);
		const here = places.filter(({baseUrl}) => isLoopback(baseUrl.hostname));
		const found = await findLocal(here, signal);
		return [
			...found.map(({baseUrl, models}) =>
				ok(title, `${baseUrl.origin}, ${plural(models.length, 'model')}`),
			),
			...(here.length < places.length
				? [note(title, 'not asked: its address is not on this machine')]
				: []),
		];
	} catch (error) {
		signal.throwIfAborted();
		const {message} = error as Error;
		return [fail(title, new ChatError('config', `${name}: ${message}`))];
	}
}

const maxMistakes = 10;

/** Checks the prompt templates. */
export async function checkTemplates({loaded, environment}: Checkup): Promise<readonly Finding[]> {
	const found = findTemplates(findPlaces(loaded.settings, environment));
	if (found.length === 0) return [ok('templates', 'none')];
	const readings = await readTemplates(found);
	const mistakes = readings.flatMap((reading) => findMistake(reading, environment) ?? []);
	const valid = found.length - mistakes.length;
	const shown = mistakes.slice(0, maxMistakes);
	const more = mistakes.length - shown.length;
	return [
		...(valid > 0 ? [ok('valid', plural(valid, 'template'))] : []),
		...shown.map((mistake) => fail('mistake', mistake)),
		...(more > 0 ? [note('more', plural(more, 'other mistake'), 'chat templates check')] : []),
	];
}
