/** `chat templates adopt`: uses the folders of other programs where they are. */
import {join} from 'node:path';
import {ChatError, type ExitCode} from '../../../errors.ts';
import {printInfo} from '../../../output/print.ts';
import {configPath, requirePath} from '../../../settings/files/config-path.ts';
import {setConfigValue} from '../../../settings/files/update-config.ts';
import {findTemplates} from '../../../templates/find-templates.ts';
import {plural, quoteWord} from '../../../wording.ts';
import {askUser} from '../../ask-user.ts';
import type {TemplateRun} from './template-verb.ts';

/** Below the home folder. */
const knownFolders = [
	'.claude/commands',
	'.claude/skills',
	'.codex/prompts',
	'.config/opencode/command',
	'.config/opencode/commands',
	'.qwen/commands',
	'.config/fabric/patterns',
] as const;

type Found = {readonly path: string; readonly count: number};

/** @throws {ChatError} `usage` if there is something to ask, and no terminal */
export async function adoptTemplates({
	places,
	settings,
	environment,
}: TemplateRun): Promise<ExitCode> {
	const found = findFolders(environment.homedir ?? '/', places.others);
	if (found.length === 0) {
		printInfo('there are no other folders with templates', environment);
		return 0;
	}
	const adopted = await askUser(
		environment,
		async (prompter, {confirm}) => {
			const chosen: string[] = [];
			for (const {path, count} of found) {
				const question = `Use ${plural(count, 'template')} in ${path}?`;
				if (await prompter.ask(confirm(question))) chosen.push(path);
			}
			return chosen;
		},
		settings.plain,
	);
	if (adopted === undefined)
		throw withoutTerminal([...places.others, ...found.map(({path}) => path)]);
	if (adopted.length === 0) return 0;
	const place = {path: requirePath(configPath(environment)), profile: undefined};
	await setConfigValue(place, 'template-paths', (stored) => {
		const kept = stored === undefined ? [] : [stored].flat();
		return [...kept, ...adopted];
	});
	printInfo(`added to template-paths: ${adopted.join(', ')}`, environment);
	return 0;
}

function findFolders(home: string, others: readonly string[]): readonly Found[] {
	return knownFolders
		.map((name) => join(home, name))
		.filter((path) => !others.includes(path))
		.map((path) => {
			const places = {own: path, trusted: [], skills: undefined, others: []};
			return {path, count: findTemplates(places).length};
		})
		.filter(({count}) => count > 0);
}

function withoutTerminal(paths: readonly string[]): ChatError {
	const command = `chat config set template-paths ${quoteWord(JSON.stringify(paths))}`;
	return new ChatError('usage', 'there is no terminal to ask on', {
		hint: `To use all of them: ${command}`,
	});
}
