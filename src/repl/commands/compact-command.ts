/** `/compact`: fewer tokens for the same conversation. */
import {omitResults, startCompaction} from '../compact/start-compaction.ts';
import type {SlashCommand} from './command.ts';

export const compactCommands: readonly SlashCommand[] = [
	{
		name: 'compact',
		group: 'conversation',
		parameters: '[what matters|tools]',
		summary: 'replace older turns by a summary (tools: drop large results)',
		needsIdle: true,
		complete: (query) => ({query, values: [{text: 'tools', meaning: 'large tool results'}]}),
		run: (state, wish) => (wish === 'tools' ? omitResults(state) : startCompaction(state, wish)),
	},
];
