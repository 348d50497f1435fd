/** Lets the user choose one of a program's conversations, or all. */
import {basename} from 'node:path';
import {type LogFile, readLogHead} from '../../../sessions/import/find-logs.ts';
import type {LogHead} from '../../../sessions/import/foreign.ts';
import {readSources} from '../../../sessions/import/known-sources.ts';
import {type ProgramName, programs} from '../../../sessions/import/programs.ts';
import {stripToLine} from '../../../terminal/safe-text.ts';
import {describeTime, formatSize, plural, shortenHome} from '../../../wording.ts';
import {ask, type Option} from '../../ask.ts';
import {findConversations} from './import-source.ts';
import type {SessionRun} from './session-verb.ts';

/** Returns the path; undefined for all. */
export async function chooseLog(
	name: ProgramName,
	{directory, settings, environment}: Omit<SessionRun, 'flags'>,
): Promise<string | undefined> {
	const {files, titles} = await findConversations(name, environment);
	const {label} = programs[name];
	const sources = readSources(directory);
	const now = environment.date();
	const toOption = (file: LogFile): Option<string | undefined> => {
		let known: LogHead | undefined;
		// A file is read once its row is shown, or searched.
		const head = () => {
			known ??= readLogHead(file.path);
			return known;
		};
		return {
			value: file.path,
			get label() {
				const {source, title} = head();
				const named = titles.get(source.replace(/^[^:]*:/, '')) || title;
				return stripToLine(named || basename(file.path));
			},
			get note() {
				const {source, cwd} = head();
				const facts = [
					describeTime(file.updated, now),
					stripToLine(shortenHome(cwd, environment.homedir)),
					formatSize(file.bytes),
					sources.has(source) ? 'imported' : '',
				];
				return facts.filter(Boolean).join(' · ');
			},
		};
	};
	const all = {
		label: `all ${plural(files.length, 'conversation')}`,
		value: undefined,
		isApart: true,
	};
	const policy = {command: 'chat sessions import', isPlain: settings.plain, result: undefined};
	return await ask(policy, environment, ({choose}) =>
		choose(`Continue a conversation of ${label}`, [all, ...files.map(toOption)], {start: 1}),
	);
}
