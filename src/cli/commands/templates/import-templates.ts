/** `chat templates import`: copies templates into the user's own folder. */
import {dirname, join, resolve} from 'node:path';
import type {Environment} from '../../../environment.ts';
import {ChatError, type ExitCode, exitCodeOf, toChatError} from '../../../errors.ts';
import {writeUserFile} from '../../../files/private-files.ts';
import {decodeText, loadTextFile} from '../../../input/load-text.ts';
import {readFileBytes, readStdin} from '../../../input/read-bytes.ts';
import {printInfo, printText} from '../../../output/print.ts';
import {requirePath, templatesDirectory} from '../../../settings/files/config-path.ts';
import {findForeignTemplates, templateFormats} from '../../../templates/import-formats.ts';
import {listFiles} from '../../../templates/list-files.ts';
import {readTemplate} from '../../../templates/read-template.ts';
import {mainFileOf} from '../../../templates/template.ts';
import {fileOf} from '../../../templates/write-template.ts';
import {stripToLine} from '../../../terminal/safe-text.ts';
import {mebibyte, plural} from '../../../wording.ts';
import {writeOwn} from '../../run/template/write-own.ts';
import {printRemarks} from './show-templates.ts';
import type {TemplateRun} from './template-verb.ts';

const maxBytes = mebibyte;

/** @throws {ChatError} `input` or `data` if nothing can be imported */
export async function importTemplates(run: TemplateRun): Promise<ExitCode> {
	const {words, environment} = run;
	const [source = '', named] = words;
	const found = await findSources(source, named, environment);
	let imported = 0;
	let failure: ChatError | undefined;
	for (const item of found) {
		try {
			if (await importOne(item, run)) imported++;
		} catch (error) {
			const problem = toChatError(error);
			if (problem.kind === 'interrupted' || found.length === 1) throw problem;
			printInfo(problem.message, environment);
			failure ??= problem;
		}
	}
	if (found.length > 1) {
		printInfo(`imported ${imported} of ${plural(found.length, 'template')}`, environment);
	}
	return failure === undefined ? 0 : exitCodeOf(failure);
}

type Source = {
	readonly name: string;
	/** Absolute; `-` for stdin. */
	readonly path: string;
	readonly text: () => Promise<string>;
};

async function findSources(
	source: string,
	named: string | undefined,
	environment: Environment,
): Promise<readonly Source[]> {
	if (source === '-') return [await readPiped(named, environment)];
	const found = findForeignTemplates(resolve(environment.cwd, source));
	if (found.length === 0) throw new ChatError('input', `there are no templates in ${source}`);
	if (named !== undefined && found.length > 1) {
		throw new ChatError('usage', `${source} has ${found.length} templates, which keep their names`);
	}
	return found.map(({name, path}) => ({name: named ?? name, path, text: () => readText(path)}));
}

async function readText(path: string): Promise<string> {
	return (await loadTextFile(path, {cwd: dirname(path), isPipeAllowed: false}, maxBytes)).text;
}

async function readPiped(name: string | undefined, {stdin}: Environment): Promise<Source> {
	if (name === undefined) {
		throw new ChatError('usage', 'a template from stdin needs a name', {
			hint: 'Write: chat templates import - <name>',
		});
	}
	if (stdin.kind !== 'data') throw new ChatError('usage', 'nothing was piped in');
	const {text} = decodeText(await readStdin(stdin, {maxBytes}), 'stdin');
	return {name, path: '-', text: async () => text};
}

/** Returns whether the template was written. */
async function importOne(
	source: Source,
	{settings, flags, environment}: TemplateRun,
): Promise<boolean> {
	const {name, path} = source;
	const text = await convert(await source.text(), path);
	const main = mainFileOf(path);
	const file = fileOf(requirePath(templatesDirectory(environment)), name, main);
	const {plain: isPlain} = settings;
	const policy = {command: 'chat templates import', isYes: flags.yes, isPlain};
	if (!(await writeOwn({name, file, text}, policy, environment))) return false;
	for (const companion of companionsOf(path)) {
		const from = {cwd: dirname(path), isPipeAllowed: false};
		const bytes = await readFileBytes(join(dirname(path), companion), 16 * maxBytes, from);
		writeUserFile(join(dirname(file), companion), bytes, environment.createId());
	}
	await printText(`${name}  ${stripToLine(file)}\n`, environment);
	const template = await readTemplate({name, path: file, isTextOnly: main === 'SKILL.md'});
	printRemarks(template, environment);
	return true;
}

/** Returns a one-template folder's other files, relative to it. */
function companionsOf(path: string): readonly string[] {
	const main = mainFileOf(path);
	if (main === undefined) return [];
	const isCompanion = (file: string) => (main === 'system.md' ? file === 'user.md' : file !== main);
	return listFiles(dirname(path)).filter(isCompanion);
}

/** @throws {ChatError} `data` for an unknown format */
async function convert(text: string, path: string): Promise<string> {
	for (const format of templateFormats) {
		if (path !== '-' && !format.fits(path)) continue;
		const converted = await format.convert(text, path);
		if (converted !== undefined) return converted;
	}
	throw new ChatError('data', `${path} is not in a format of templates that is known`);
}
