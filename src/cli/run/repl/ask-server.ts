/** `/mcp`: shows a server, switches it, or starts it again. */
import type {Environment} from '../../../environment.ts';
import {describeEntry} from '../../../mcp/describe-entry.ts';
import type {Server} from '../../../mcp/server.ts';
import type {ServerVerb} from '../../../repl/server-view.ts';
import {describeState} from '../../../repl/servers.ts';
import type {PlainEntry, TableGroup} from '../../../repl/state.ts';
import {stripUnsafe} from '../../../terminal/safe-text.ts';
import {plural} from '../../../wording.ts';
import type {Run} from '../turn-runner.ts';
import {usageOfPrompt} from './server-calls.ts';
import {lineOf, promptsOf, resourcesOf} from './server-views.ts';

/** @throws {ChatError} if it cannot be started */
export async function askServer(
	verb: ServerVerb,
	name: string,
	{servers, signal}: Run,
	{homedir}: Environment,
): Promise<PlainEntry> {
	const server = servers?.all.find(({entry}) => entry.name === name);
	if (server === undefined) return noticeOf(`there is no server ${name}`);
	switch (verb) {
		case 'show':
			return describeServer(server, homedir);
		case 'log':
			return showLog(server);
		case 'on':
		case 'off':
			server.setEnabled(verb === 'on');
			return noticeOf(`the tools of ${name} are ${verb}, from the next request on`);
		case 'restart':
			await server.stop();
			await server.connect(signal);
			return noticeOf(`the server ${name} is running`);
		default:
			return verb satisfies never;
	}
}

function noticeOf(text: string): PlainEntry {
	return {type: 'notice', text};
}

function showLog(server: Server): PlainEntry {
	// A text that begins with a space would be read as a table.
	const text = stripUnsafe(server.log().join('\n')).trim();
	if (text !== '') return {type: 'text', text};
	return noticeOf(`the server ${server.entry.name} has written no messages`);
}

function describeServer(server: Server, home: string | undefined): PlainEntry {
	const {name} = server.entry;
	const {server: own, offer} = server.manifest() ?? {};
	const state = server.state();
	const error = state.type === 'failed' ? state.error : undefined;
	const rows: TableGroup['rows'] = [
		[name, describeState(state.type, error)],
		...describeEntry(server.entry, home).map(({label, text}) => [label, lineOf(text)] as const),
		...(own === undefined ? [] : [['version', lineOf(`${own.name} ${own.version}`)] as const]),
	];
	return {
		type: 'table',
		groups: [
			{rows},
			...groupOf('Tools', offer?.tools ?? [], (tool) => [tool.name, tool.description ?? '']),
			...groupOf('Prompts', promptsOf(server), ({view}) => [usageOfPrompt(view), view.description]),
			...groupOf('Resources', resourcesOf(server), ({text, meaning = ''}) => [`@${text}`, meaning]),
		],
	};
}

/** The most rows of a group. */
const maxRows = 100;

function groupOf<Item>(
	title: string,
	items: readonly Item[],
	rowOf: (item: Item) => TableGroup['rows'][number],
): readonly TableGroup[] {
	if (items.length === 0) return [];
	const rows = items.slice(0, maxRows).map((item) => {
		const [key, meaning] = rowOf(item);
		return [lineOf(key), lineOf(meaning)] as const;
	});
	const left = items.length - rows.length;
	return [{title, rows: left === 0 ? rows : [...rows, ['', `and ${plural(left, 'other')}`]]}];
}
