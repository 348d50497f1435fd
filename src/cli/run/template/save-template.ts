/** `--save-template`: writes the prompt and its flags as a template. */
import {isAbsolute, resolve} from 'node:path';
import type {Environment} from '../../../environment.ts';
import {ChatError, type ExitCode} from '../../../errors.ts';
import {hashOf, trustHashes} from '../../../files/trust.ts';
import {printExact, printInfo} from '../../../output/print.ts';
import {
	requirePath,
	templatesDirectory,
	trustedTemplatesPath,
} from '../../../settings/files/config-path.ts';
import {loadFlags, loadSettings} from '../../../settings/options/load-settings.ts';
import {longFlagOf} from '../../../settings/options/option-row.ts';
import {
	type FlagTexts,
	rowOf,
	type SettingName,
	settingNames,
} from '../../../settings/options/settings.ts';
import {createFrontMatter, isTemplateSetting} from '../../../settings/options/template-layer.ts';
import {findUndeclared} from '../../../templates/expand-template.ts';
import {readTemplate} from '../../../templates/read-template.ts';
import {fileOf, formatTemplate} from '../../../templates/write-template.ts';
import type {PromptLine} from '../../command-line/parse-argv.ts';
import {checkCombinations} from '../chat-options.ts';
import {checkPromptWords, readPromptWords} from '../prompt-words.ts';
import {readFields} from '../read-request.ts';
import {findNamedFiles} from './named-files.ts';
import {readParamFlags} from './template-params.ts';
import {writeOwn} from './write-own.ts';

/** @throws {ChatError} `usage` for an invalid name, and if there is nothing to save */
export async function saveTemplate(line: PromptLine, environment: Environment): Promise<ExitCode> {
	const flags: FlagTexts = line.flags;
	const {settings} = loadSettings(flags, environment);
	checkCombinations(settings);
	const {cwd} = environment;
	checkPromptWords(line, cwd);
	const {words} = readPromptWords(line);
	const name = settings.saveTemplate ?? '';
	const file = fileOf(requirePath(templatesDirectory(environment)), name);
	const own = loadFlags(flags, cwd);
	const given = own.settings;
	const options = await readFields(given, {cwd});
	const files = given.file.map((path) => (isAbsolute(path) ? path : resolve(cwd, path)));
	const isPiped = settings.stdin && environment.stdin.kind === 'data';
	const params = readParamFlags(given.param);
	const system = given.system !== undefined && 'text' in given.system ? given.system.text : '';
	const needed = findUndeclared(`${system}\n${words.join(' ')}`, {params});
	const declared = {...Object.fromEntries(needed.map((param) => [param, null])), ...params};
	const values = {
		...createFrontMatter(own, flags),
		...(Object.keys(options).length > 0 && {options}),
		...(Object.keys(declared).length > 0 && {params: declared}),
		...(files.length > 0 && {files}),
	};
	if (words.length === 0 && Object.keys(values).length === 0) {
		const words = `To save a piped text: chat templates import - ${name}`;
		throw new ChatError('usage', 'there is nothing to save: give a prompt, or flags', {
			hint: isPiped ? words : undefined,
		});
	}
	const comment = `Saved by chat --save-template in ${cwd.replace(/\p{C}/gu, '')}`;
	const text = await formatTemplate(comment, values, words.join(' '));
	if (settings.dryRun) return await printExact(text.trimEnd(), environment);
	const policy = {
		isPlain: settings.plain,
		command: '--save-template',
		instead: `To change it: chat templates edit ${name}`,
	};
	if (!(await writeOwn({name, file, text}, policy, environment))) return 0;
	await trustOwn(file, text, environment);
	const isLost = (known: SettingName) => flags[known] !== undefined && !isSaved(known);
	const lost = settingNames.filter(isLost).map((known) => longFlagOf(rowOf(known)));
	if (isPiped) lost.push('the piped text');
	if (lost.length > 0) printInfo(`not in the template: ${lost.join(', ')}`, environment);
	const use = ['chat', '-t', name, ...needed.map((param) => `-p ${param}=…`)].join(' ');
	printInfo(`saved ${file}; to use it: ${use}`, environment);
	return 0;
}

/** Trusts the files named by the user on the command line. */
async function trustOwn(file: string, text: string, environment: Environment): Promise<void> {
	const template = await readTemplate({name: '', path: file, isTextOnly: false});
	const named = findNamedFiles(template, environment.cwd);
	if (!named.some(({isInside, isNeeded}) => isNeeded && !isInside)) return;
	const path = requirePath(trustedTemplatesPath(environment));
	await trustHashes(path, {[file]: hashOf(text)}, environment.createId());
}

/** Flags only for this run, and those saved in another form. */
const others: readonly string[] = ['saveTemplate', 'param', 'file', 'option', 'quiet', 'verbose'];

function isSaved(name: string): boolean {
	return isTemplateSetting(name) || others.includes(name);
}
