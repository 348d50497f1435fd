/** `chat templates delete` and `rename`, which change the user's own folder alone, and `trust`. */
import {existsSync} from 'node:fs';
import {dirname, resolve, sep} from 'node:path';
import {ChatError, type ExitCode} from '../../../errors.ts';
import {isTrusted, readTrust, trustFiles} from '../../../files/trust.ts';
import {printInfo, printText} from '../../../output/print.ts';
import {requirePath, trustedTemplatesPath} from '../../../settings/files/config-path.ts';
import {findInWork, findTemplate, type TemplatePlaces} from '../../../templates/find-templates.ts';
import {type FoundTemplate, mainFileOf} from '../../../templates/template.ts';
import {fileOf, moveTemplate, removeTemplate} from '../../../templates/write-template.ts';
import {stripToLine} from '../../../terminal/safe-text.ts';
import {plural} from '../../../wording.ts';
import {confirm} from '../../ask.ts';
import type {TemplateRun} from './template-verb.ts';

type OwnTemplate = FoundTemplate & {
	/** The file, or the folder holding a skill or a pattern. */
	readonly target: string;
	/** The file's name in its folder. */
	readonly main: string | undefined;
};

/** @throws {ChatError} `usage` without a terminal, and for a project's template */
export async function deleteTemplates(run: TemplateRun): Promise<ExitCode> {
	const {words, places, flags, settings, environment} = run;
	const found = words.map((word) => findOwn(word, places));
	const all = [...new Map(found.map((template) => [template.target, template])).values()];
	const names = all.map(({name}) => name).join(', ');
	const question = `Delete ${plural(all.length, 'template')}: ${names}?`;
	const {plain: isPlain} = settings;
	const policy = {command: 'chat templates delete', isYes: flags.yes, isPlain};
	const isWanted = await confirm(question, policy, environment);
	if (!isWanted) {
		printInfo('nothing was deleted', environment);
		return 0;
	}
	for (const {name, target} of all) {
		removeTemplate(target, requirePath(places.own));
		printInfo(`deleted ${name}: ${stripToLine(target)}`, environment);
	}
	return 0;
}

/** @throws {ChatError} `create` if the new name exists, `usage` for a project's template */
export async function renameTemplate({words, places, environment}: TemplateRun): Promise<ExitCode> {
	const [from = '', to = ''] = words;
	const own = requirePath(places.own);
	const {name, path, target, main} = findOwn(from, places);
	const file = fileOf(own, to, main);
	if (existsSync(file)) throw new ChatError('create', `the template ${to} exists: ${file}`);
	const trust = requirePath(trustedTemplatesPath(environment));
	const wasTrusted = isTrusted(path, readTrust(trust));
	const moved = main === undefined ? file : dirname(file);
	moveTemplate(target, moved, own);
	if (wasTrusted) await trustFiles(trust, [file], environment.createId());
	printInfo(`renamed ${name} to ${to}: ${stripToLine(moved)}`, environment);
	return 0;
}

function findOwn(word: string, places: TemplatePlaces): OwnTemplate {
	const found = findTemplate(word, places);
	const {name, path} = found;
	if (places.own === undefined || !path.startsWith(places.own + sep)) {
		throw new ChatError('usage', `the template ${name} is not in your own folder: ${path}`, {
			hint: 'Change its file there, or the folders in template-paths.',
		});
	}
	const main = mainFileOf(path);
	return {...found, target: main === undefined ? path : dirname(path), main};
}

/**
 * Trusts templates as they are now: all in a project folder, or a single one, which may then read
 * files anywhere.
 */
export async function trustTemplates({
	words: [word = '.'],
	places,
	environment,
}: TemplateRun): Promise<ExitCode> {
	const ofFolder = findInWork(resolve(environment.cwd, word));
	const found = ofFolder.length > 0 ? ofFolder : [findTemplate(word, places)];
	const paths = found.map(({path}) => path);
	await trustFiles(requirePath(trustedTemplatesPath(environment)), paths, environment.createId());
	const lines = found.map(({name, path}) => `${name}  ${stripToLine(path)}\n`);
	printInfo('trusted until their files change:', environment);
	return await printText(lines.join(''), environment);
}
