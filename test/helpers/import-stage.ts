/** A home folder, with files of other programs to import. */
import {mkdirSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {readSession, type StoredSession} from '../../src/sessions/read-session.ts';
import {listSessionFiles} from '../../src/sessions/session-files.ts';
import {type Line, type RunOptions, runChat} from './run-chat.ts';
import {createHome} from './settings-home.ts';

export type Imported = {
	readonly id: string;
	readonly title: string;
	readonly turns: number;
	readonly source: string;
};

/** Opens a home, and a folder with the files to import. */
export function openStage() {
	const {source, home} = createHome();
	const cwd = join(home, 'export');
	mkdirSync(cwd);
	const directory = join(home, '.local', 'state', 'chat');
	const write = (name: string, content: string | Uint8Array) => {
		mkdirSync(dirname(join(cwd, name)), {recursive: true});
		writeFileSync(join(cwd, name), content);
	};
	const chat = (line: Line, options: RunOptions = {}) =>
		runChat(line, {...source, cwd, ...options});
	return {
		...{source, home, cwd, directory},
		write,
		chat,
		/** Imports a file with this content. */
		async import(content: unknown, name = 'conversations.json') {
			write(name, typeof content === 'string' ? content : JSON.stringify(content));
			const result = await chat(['sessions', 'import', '-o', 'json', name]);
			const sessions: readonly Imported[] = JSON.parse(result.stdout);
			return {...result, sessions};
		},
		read(id: string): StoredSession {
			const file = listSessionFiles(directory).find((candidate) => candidate.id === id);
			if (file === undefined) throw new Error(`no session ${id}`);
			return readSession(file);
		},
	};
}

/** Returns a conversation in lines: its turns, its other branches, and what is in the editor. */
export function linesOf({conversation, draft}: StoredSession): readonly string[] {
	const {system, turns, otherTurns} = conversation;
	const linesIn = ({prompt, messages}: (typeof turns)[number]) => [
		`user: ${prompt.text}`,
		...prompt.attachments.map((one) => {
			const shown = 'text' in one ? one.text : 'url' in one.part ? one.part.url : one.name;
			return `${one.type}: ${shown}`;
		}),
		...messages.flatMap(({role, parts}) =>
			parts.map((part) => {
				if ('text' in part) return `${role} ${part.type}: ${part.text}`;
				return part.type === 'tool-call'
					? `call: ${part.call.name} ${part.call.arguments}`
					: part.type;
			}),
		),
	];
	return [
		...(system ? [`system: ${system}`] : []),
		...turns.flatMap(linesIn),
		...otherTurns.map(({turn, parent}) => `branch after ${parent}: ${turn.id}`),
		...(draft === undefined ? [] : [`draft: ${draft.text}`]),
	];
}
