/** Servers of a run: what is known of them, when they start, and their tools as a source. */
import {writeManifest} from '../../src/mcp/manifest-files.ts';
import type {ServerTool} from '../../src/mcp/offer.ts';
import {openServers} from '../../src/mcp/open-servers.ts';
import type {ServerEntry} from '../../src/mcp/server-entry.ts';
import {describeToolSource} from '../helpers/tool-source-contract.ts';
import {createDirectory} from '../input/input-helpers.ts';
import {createMemoryServer, echo, endless, entry, manifestOf} from './memory-server.ts';

/** Opens servers of which an earlier run has saved the tools. */
function open(
	server = createMemoryServer(),
	{
		known = [echo, endless],
		entries = [entry('memory')],
		folder = createDirectory({}),
	}: {
		readonly known?: readonly ServerTool[] | undefined;
		readonly entries?: readonly ServerEntry[];
		readonly folder?: string;
	} = {},
) {
	for (const item of entries) writeManifest(folder, item, manifestOf(known), 'test');
	return {...reopen(server, entries, folder), server, folder};
}

function reopen(
	server: ReturnType<typeof createMemoryServer>,
	entries: readonly ServerEntry[],
	folder: string | undefined,
) {
	let ids = 0;
	const {connect} = server;
	return openServers(entries, {connect, folder, toolTimeout: 1000, createId: () => `id${ids++}`});
}

describeToolSource('a server', {
	async open() {
		const {tools, all} = open();
		const turn = () => all[0]?.setEnabled(!all[0].isEnabled());
		return {
			...tools,
			get tools() {
				return tools.tools;
			},
			turn,
		};
	},
	call: {name: 'mcp__memory__echo', values: {text: 'door'}, unfit: {text: 1}},
	endless: {name: 'mcp__memory__endless', values: {}},
	change: (source) => source.turn(),
});
