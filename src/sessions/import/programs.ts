/** Programs whose conversations are found, and where each keeps them. */
export type ForeignPlace = {
	/** The first one whose variable is set counts, else the first existing one; `~` is the home folder. */
	readonly folders: readonly string[];
	/** The paths below the folder, with slashes. */
	readonly fits: RegExp;
	/** How many folders deep they are. */
	readonly depth: number;
};

export type ForeignProgram = {
	readonly label: string;
	readonly places: readonly ForeignPlace[];
	/** A file of titles by id, beside the folder: a line each, the last one counts. */
	readonly titles?: string;
};

const rollouts = {fits: /(?:^|\/)rollout-[^/]+\.(?:json|jsonl|jsonl\.zst)$/, depth: 3};
const geminiChats = {fits: /^[^/]+\/chats\/session-[^/]+\.jsonl?$/, depth: 2};

/** Keys are words of the command, and names of formats. */
export const programs = {
	'claude-code': {
		label: 'Claude Code',
		places: [
			{
				folders: ['$CLAUDE_CONFIG_DIR/projects', '~/.claude/projects'],
				// Sub-agents used to be beside the others.
				fits: /^[^/]+\/(?!agent-)[^/]+\.jsonl$/,
				depth: 1,
			},
		],
	},
	codex: {
		label: 'Codex',
		places: [
			{folders: ['$CODEX_HOME/sessions', '~/.codex/sessions'], ...rollouts},
			{folders: ['$CODEX_HOME/archived_sessions', '~/.codex/archived_sessions'], ...rollouts},
		],
		titles: '../session_index.jsonl',
	},
	gemini: {
		label: 'Gemini CLI',
		places: [{folders: ['$GEMINI_CLI_HOME/.gemini/tmp', '~/.gemini/tmp'], ...geminiChats}],
	},
	qwen: {
		label: 'Qwen Code',
		places: [
			{
				folders: ['$QWEN_RUNTIME_DIR/projects', '$QWEN_HOME/projects', '~/.qwen/projects'],
				fits: /^[^/]+\/chats\/[^/]+\.jsonl$/,
				depth: 2,
			},
			{folders: ['$QWEN_RUNTIME_DIR/tmp', '$QWEN_HOME/tmp', '~/.qwen/tmp'], ...geminiChats},
		],
	},
	pi: {
		label: 'pi',
		places: [
			{
				folders: ['$PI_CODING_AGENT_DIR/sessions', '~/.pi/agent/sessions'],
				fits: /^(?:[^/]+\/)?[^/]+\.jsonl$/,
				depth: 1,
			},
		],
	},
	copilot: {
		label: 'Copilot CLI',
		places: [
			{
				folders: ['$COPILOT_HOME/session-state', '~/.copilot/session-state'],
				fits: /^[^/]+(?:\/events)?\.jsonl$/,
				depth: 1,
			},
		],
	},
	aichat: {
		label: 'aichat',
		places: [
			{
				folders: [
					...[
						'$AICHAT_SESSIONS_DIR',
						'$AICHAT_CONFIG_DIR/sessions',
						'$XDG_CONFIG_HOME/aichat/sessions',
					],
					...['~/Library/Application Support/aichat/sessions', '~/AppData/Roaming/aichat/sessions'],
					'~/.config/aichat/sessions',
				],
				fits: /^(?:_\/)?[^/]+\.yaml$/,
				depth: 1,
			},
		],
	},
} as const satisfies Readonly<Record<string, ForeignProgram>>;

export type ProgramName = keyof typeof programs;

export function isProgramName(word: string): word is ProgramName {
	return Object.hasOwn(programs, word);
}
