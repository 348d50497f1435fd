/** The live view for a single answer; its code loads while the request is in flight. */
import {denyUnattended} from '../../chat/approvals.ts';
import type {OpenConversation} from '../../chat/conversation.ts';
import {declineElicitation} from '../../chat/elicitation.ts';
import type {Questions} from '../../chat/tool.ts';
import type {Environment} from '../../environment.ts';
import type {InterruptSignal} from '../../errors.ts';
import type {AnswerView} from '../../output/turn-writer.ts';
import type {Redact} from '../../redact.ts';
import type {Settings} from '../../settings/options/settings.ts';
import {decideColor, decideLinks, decidePlain, decideReflow} from '../../terminal/capabilities.ts';
import type {DrawnAnswer} from '../../ui/ink/views.ts';
import type {ShownAnswer} from '../../ui/run.ts';

export function createScreenOptions(
	{color}: Settings,
	redact: Redact,
	{variables}: Environment,
): DrawnAnswer['options'] {
	return {
		hasColor: decideColor(color, variables),
		hasLinks: decideLinks(variables),
		reflow: decideReflow(variables),
		redact,
	};
}

type ViewedAnswer = {
	readonly settings: Settings;
	readonly conversation: OpenConversation;
	readonly redact: Redact;
	/** The address in messages, hidden on the screen. */
	readonly serviceUrl: string;
	/** Ends the run as this signal does. */
	readonly onInterrupt: (signal: InterruptSignal) => void;
	/** Aborted when the run is to end. */
	readonly signal: AbortSignal;
};

type AnswerScreen = {
	/** Opens the view; at most once. Undefined without a terminal. */
	readonly openView: (() => Promise<AnswerView>) | undefined;
	/** Asks in the view or, where the output has none, on a screen of its own. */
	readonly questions: Questions;
};

export function createAnswerScreen(
	{settings, conversation, redact, serviceUrl, onInterrupt, signal}: ViewedAnswer,
	environment: Environment,
): AnswerScreen {
	const {terminal} = environment;
	if (terminal === undefined) {
		const questions = {approve: denyUnattended, elicit: declineElicitation};
		return {openView: undefined, questions};
	}
	const openPage = async (url: URL) => {
		const {openBrowser} = await import('../../processes/desktop.ts');
		return await openBrowser(url, environment);
	};
	const now = () => environment.now();
	const loadView = async (): Promise<ShownAnswer['openView']> => {
		const {platform} = environment;
		if (decidePlain(settings.plain, environment.variables)) {
			const {openAnswerLines} = await import('../../ui/lines/views.ts');
			const options = {redact, serviceUrl};
			return (shown) => openAnswerLines({shown, terminal, platform, options, now});
		}
		const {openAnswerView} = await import('../../ui/ink/views.ts');
		const options = {...createScreenOptions(settings, redact, environment), serviceUrl};
		return (shown) => openAnswerView({shown, terminal, options, now});
	};
	const open = async (viewed: OpenConversation | undefined) => {
		const [{openAnswer}, openView] = await Promise.all([import('../../ui/run.ts'), loadView()]);
		const reasoningMode = settings.reasoning;
		const asked = {conversation: viewed, reasoningMode, now, openPage, signal};
		return openAnswer({...asked, terminal, openView, onInterrupt});
	};
	let view: ReturnType<typeof open> | undefined;
	const ask = async <Answer>(question: (questions: Questions) => Promise<Answer>) => {
		if (view !== undefined) return await question((await view).questions);
		const screen = await open(undefined);
		try {
			return await question(screen.questions);
		} finally {
			await screen.end();
		}
	};
	return {
		openView() {
			view = open(conversation);
			return view;
		},
		questions: {
			approve: (request, stop) => ask(({approve}) => approve(request, stop)),
			elicit: (request, stop) => ask(({elicit}) => elicit(request, stop)),
		},
	};
}
