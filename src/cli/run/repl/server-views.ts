/** MCP servers as shown in the REPL, each text on one short line. */
import type {OfferedTool} from '../../../chat/tool.ts';
import {estimateTokens} from '../../../mcp/budget.ts';
import {describePrompt} from '../../../mcp/describe-server.ts';
import type {Server, Servers} from '../../../mcp/server.ts';
import {splitCommand} from '../../../repl/commands/command.ts';
import type {PromptView, ServerView} from '../../../repl/commands/server-view.ts';
import type {MenuValue} from '../../../repl/list/menu.ts';
import type {Repl} from '../../../repl/repl.ts';
import {stripToLine, stripUnsafe} from '../../../terminal/safe-text.ts';
import {shorten} from '../../../wording.ts';

export function viewServers({all, tools}: Servers): readonly ServerView[] {
	return all.map((server) => {
		const start = `mcp__${server.entry.name}__`;
		const own = tools.tools.filter(({definition}) => definition.name.startsWith(start));
		return viewServer(server, own);
	});
}

/** Shows the servers in the REPL, now and after each change. */
export function followServers(servers: Servers, {dispatch}: Pick<Repl, 'dispatch'>): void {
	const show = () => dispatch({type: 'servers-changed', servers: viewServers(servers)});
	for (const server of servers.all) server.onChange(show);
	show();
}

function viewServer(server: Server, tools: readonly OfferedTool[]): ServerView {
	const {name} = server.entry;
	const state = server.state();
	const manifest = server.manifest();
	const isEnabled = server.isEnabled();
	return {
		name,
		state: state.type,
		...(state.type === 'failed' && {error: state.error}),
		isRead: manifest !== undefined,
		isEnabled,
		tools: isEnabled ? tools.length : (manifest?.offer.tools.length ?? 0),
		tokens: estimateTokens(tools),
		prompts: promptsOf(server).map(({view}) => view),
		resources: resourcesOf(server),
	};
}

/** Returns an untrusted text as one short line. */
export function lineOf(text = ''): string {
	return shorten(stripToLine(text.slice(0, 4096)), 200);
}

/** A prompt's typed name, and its name on the server. */
export type OfferedPrompt = {
	readonly server: Server;
	readonly view: PromptView;
	readonly name: string;
};

export function promptsOf(server: Server): readonly OfferedPrompt[] {
	const found = new Map<string, OfferedPrompt>();
	for (const prompt of server.manifest()?.offer.prompts ?? []) {
		const {name, description, parameters: all} = describePrompt(prompt);
		const called = callableName(server.entry.name, name);
		if (called === undefined || found.has(called)) continue;
		const parameters = all.map((value) => ({...value, description: lineOf(value.description)}));
		const view = {name: called, description: lineOf(description), parameters};
		found.set(called, {server, view, name});
	}
	return [...found.values()];
}

/** Returns the name as typed after a slash; undefined if untypable. */
function callableName(server: string, prompt: string): string | undefined {
	const plain = stripToLine(prompt).replace(/[^\p{L}\p{N}_.+-]+/gu, '_');
	const names = [`${server}:${stripToLine(prompt)}`, `${server}:${plain}`];
	return names.find((name) => splitCommand(`/${name}`)?.name === name);
}

/**
 * Returns the resources a mention can name; for a template only its start, for the user to
 * complete.
 */
function resourcesOf(server: Server): readonly MenuValue[] {
	const {resources = [], resourceTemplates = []} = server.manifest()?.offer ?? {};
	const starts = resourceTemplates.map(({uriTemplate, ...rest}) => ({
		...rest,
		uri: uriTemplate.replace(/\{.*$/s, ''),
		isPartial: true,
	}));
	return [...resources.map((resource) => ({...resource, isPartial: false})), ...starts]
		.filter(({uri}) => isMentionable(uri))
		.map(({uri, title, name, description, isPartial}) => ({
			text: `${server.entry.name}:${uri}`,
			meaning: lineOf([title ?? name, description ?? ''].filter(Boolean).join(': ')),
			isPartial,
		}));
}

/** Whether a mention can contain the URI, and all characters are visible. */
function isMentionable(uri: string): boolean {
	return isUri(uri) && !/["\n\t]/.test(uri) && stripUnsafe(uri) === uri;
}

export function isUri(text: string): boolean {
	return /^[a-z][a-z0-9+.-]*:/i.test(text);
}
