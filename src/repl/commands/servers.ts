/** The run's MCP servers: their state, `/mcp`, and notices about them. */

import type {ChatError} from '../../errors.ts';
import {plural, shorten} from '../../wording.ts';
import {printNotice, sequenceEach, type Update, update} from '../action.ts';
import type {Completion} from '../list/menu.ts';
import {printOrShow, showNotice} from '../popup.ts';
import {type ReplState, tableOf} from '../state.ts';
import {startTask} from '../task.ts';
import type {SlashCommand} from './command.ts';
import type {ServerVerb, ServerView} from './server-view.ts';

export const serverCommands: readonly SlashCommand[] = [
	{
		name: 'mcp',
		group: 'settings',
		parameters: '[on|off|log|restart] [server]',
		summary: 'list MCP servers, or show, switch or restart one',
		complete: completeServer,
		run: askServer,
	},
];

const verbs: Readonly<Record<Exclude<ServerVerb, 'show'>, string>> = {
	off: "stop offering a server's tools",
	on: 'offer them again',
	log: 'show the last lines that a server wrote to stderr',
	restart: 'stop a server, and start it again',
};

const noServers = 'no MCP servers are in use; name them when you start chat';

function isVerb(word: string): word is keyof typeof verbs {
	return Object.hasOwn(verbs, word);
}

/** `/mcp`, `/mcp github`, `/mcp off github`; with a single server, its name may be left out. */
function askServer(state: ReplState, argument: string): Update {
	const names = state.servers.map(({name}) => name);
	const [only, ...others] = names;
	if (only === undefined) return showNotice(state, noServers);
	if (argument === '') return printOrShow(state, tableOf(state.servers.map(rowOf)));
	const words = argument.split(/\s+/);
	const [first = ''] = words;
	const verb = isVerb(first) ? first : 'show';
	const [name = others.length === 0 ? only : '', ...more] = isVerb(first) ? words.slice(1) : words;
	if (name === '' || more.length > 0) {
		return showNotice(state, `/mcp ${verb} needs the name of one server: ${names.join(', ')}`);
	}
	if (!names.includes(name)) {
		return showNotice(state, `unknown server ${name}; the servers are ${names.join(', ')}`);
	}
	return startTask(state, {
		name: 'ask-server',
		run: (services) => services.askServer(verb, name),
		done: printOrShow,
		fail: (current, error) => printOrShow(current, {type: 'error', error}),
	});
}

function completeServer(argument: string, {servers}: ReplState): Completion {
	const names = servers.map((server) => ({text: server.name, meaning: rowOf(server)[1]}));
	const [, verb = '', query = ''] = /^(\S+)\s+(.*)$/s.exec(argument) ?? [];
	if (isVerb(verb)) return {query, values: names};
	const words = Object.entries(verbs).map(([word, meaning]) => {
		return {text: `${word} `, label: word, meaning, isPartial: true};
	});
	return {query: argument, values: servers.length === 0 ? [] : [...names, ...words]};
}

function rowOf(server: ServerView): readonly [string, string] {
	const {name, tools, tokens, isRead, isEnabled} = server;
	const count = plural(tools, 'tool');
	const size = tools === 0 ? count : `${count}, about ${plural(tokens, 'token')} a request`;
	const offer = isEnabled ? size : `${count} not offered`;
	return [
		name,
		[isEnabled ? '' : 'off', describeState(server.state, server.error), isRead ? offer : '']
			.filter(Boolean)
			.join(' · '),
	];
}

export function describeState(state: ServerView['state'], error?: ChatError): string {
	if (state === 'known') return 'not started yet';
	if (state !== 'failed') return state;
	return `failed: ${shorten(error?.message.replace(/\s+/g, ' ') ?? '', 200)}`;
}

/** Shows the current servers, reporting those that failed outside a call. */
export function changeServers(state: ReplState, servers: readonly ServerView[]): Update {
	const ended = servers.filter(({name, isRead, error}) => {
		const before = state.servers.find((server) => server.name === name);
		return isRead && error !== undefined && before?.state === 'running';
	});
	const unreadable = servers.filter(({isRead, error}) => !isRead && error !== undefined);
	const news = unreadable.filter(({name}) => !state.unreadable.has(name));
	const all = new Set([...state.unreadable, ...news.map(({name}) => name)]);
	const next = {...state, servers, unreadable: all};
	return sequenceEach(next, [...ended, ...news], reportFailure);
}

function reportFailure(state: ReplState, {name, error, isRead}: ServerView): Update {
	if (error === undefined) return update(state);
	const next = isRead ? 'it restarts on its next call' : `/mcp log ${name} shows its messages`;
	return printOrShow(state, {type: 'error', error, next});
}

/** Explains why a server's prompts are unknown. */
export function describeUnread({name, error}: ServerView): string {
	return `${name} has not listed its prompts${error === undefined ? ' yet' : `: ${error.message}`}`;
}

/** Reports once when a turn lacks tools from servers still being read. */
export function reportUnread(state: ReplState): Update {
	const unread = state.servers.filter(({state: current, isRead, isEnabled}) => {
		return current === 'starting' && !isRead && isEnabled;
	});
	if (unread.length === 0 || state.isUnreadReported) return update(state);
	const names = unread.map(({name}) => name).join(', ');
	const verb = unread.length === 1 ? 'is' : 'are';
	return update(
		{...state, isUnreadReported: true},
		printNotice(`sent without the tools of ${names}, which ${verb} still starting`),
	);
}
