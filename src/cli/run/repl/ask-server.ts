/** `/mcp`: shows a server, switches it, or starts it again. */
import type {Environment} from '../../../environment.ts';
import {
	describeServer,
	type OfferedItem,
	type OfferGroup,
	usageOf,
} from '../../../mcp/describe-server.ts';
import type {Server} from '../../../mcp/server.ts';
import type {ServerVerb} from '../../../repl/commands/server-view.ts';
import {describeState} from '../../../repl/commands/servers.ts';
import type {PlainEntry, TableGroup} from '../../../repl/state.ts';
import {stripUnsafe} from '../../../terminal/safe-text.ts';
import {plural} from '../../../wording.ts';
import type {Run} from '../turn-runner.ts';
import {usageOfPrompt} from './server-calls.ts';
import {lineOf, promptsOf} from './server-views.ts';

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
			return showServer(server, homedir);
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
	const text = stripUnsafe(server.log().join('\n')).trim();
	if (text !== '') return {type: 'text', text};
	return noticeOf(`the server ${server.entry.name} has written no messages`);
}

function showServer(server: Server, home: string | undefined): PlainEntry {
	const {entry} = server;
	const {lines, groups} = describeServer(entry, server.manifest(), home);
	const state = server.state();
	const error = state.type === 'failed' ? state.error : undefined;
	const rows: TableGroup['rows'] = [
		[entry.name, describeState(state.type, error)],
		...lines.map(({label, text}) => [label, lineOf(text)] as const),
	];
	const words = wordsOf(server);
	const offered = groups.filter(({items}) => items.length > 0);
	return {type: 'table', groups: [{rows}, ...offered.map((group) => tableOf(group, words))]};
}

/** Maximum number of rows per group. */
const maxRows = 100;

function tableOf({title, noun, items}: OfferGroup, words: Words): TableGroup {
	const rows = items
		.slice(0, maxRows)
		.map((item) => [lineOf(words[noun](item)), lineOf(item.description)] as const);
	const left = items.length - rows.length;
	const more = left === 0 ? [] : [['', `and ${plural(left, 'other')}`] as const];
	return {title, rows: [...rows, ...more]};
}

type Words = Readonly<Record<OfferGroup['noun'], (item: OfferedItem) => string>>;

/** Returns how a prompt or a resource is called or mentioned. */
function wordsOf(server: Server): Words {
	const called = promptsOf(server).map(({name, view}) => [name, usageOfPrompt(view)] as const);
	const usages = new Map(called);
	return {
		tool: ({name}) => name,
		prompt: (item) => usages.get(item.name) ?? usageOf(item),
		resource: ({name}) => `@${server.entry.name}:${name}`,
	};
}
