/**
 * What is read of a journal, in today's versions, as JSON that is parsed when it is first asked for (`fits-shape.ts` says what it
 * means). Written by `npm run docs` from the types in `core/protocol/src`.
 */
export const recordShapes = {
  JournalRecord:
    '["|","@SessionRecord","@TurnRecord","@StepRecord","@ToolRecord","@InteractionRecord","@CompactionRecord","@RewindRecord","@ProposalRecord","@HookRecord","@NoticeRecord"]',
  SessionRecord:
    '["|",{"type":"=session-started","sessionId":"@SessionId","workspace":"@Workspace","origin":"@Origin","version":"string","forkedFrom?":{"sessionId":"@SessionId","seq":"number"},"spawnedBy?":{"sessionId":"@SessionId","callId":"@ToolCallId","agent":"string"},"importedFrom?":"@ImportSource"},{"type":"=session-configured","config":"@SessionConfig"},{"type":"=session-titled","title":"string","origin":"@Origin"},{"type":"=session-recovered","found":"string"}]',
  SessionId: '"string"',
  Workspace: '{"cwd":"string","roots":["[]","string"]}',
  Origin: '{"frontend":"string","user?":"string"}',
  ToolCallId: '"string"',
  ImportSource: '{"agent":"string","sessionId":"string","lastSeq":"number"}',
  SessionConfig:
    '{"model":"@ModelSettings","fallbacks":["[]","@ModelSettings"],"mode":"@PermissionMode","policy":"@Policy","limits":"@TurnLimits","retry":"@RetryPolicy","strategy":"@ToolStrategy","askPolicy":"@AskPolicy","interactionExpiryMs":["|","number","null"],"sandbox":"@SandboxSettings","onUnknown":"@OnUnknown","compactor?":"string","systemPrompt":"string","tools":["[]","@ToolDefinition"],"agent?":"@AgentProfile","personas?":["[]","@PersonaProfile"],"hooks?":["[]","@HookEntry"],"place?":"@SessionPlace"}',
  ModelSettings:
    '{"provider":"string","id":"string","wire":"string","contextWindowTokens":"number","maxOutputTokens":"number","sizes?":"=assumed","prices?":"@ModelPrices","inputs?":["[]","@InputKind"],"toolProfile?":"@ToolProfileName","summarizer?":"@ModelSettings","options":"object"}',
  ModelPrices:
    '{"input":"number","output":"number","cachedInput?":"number","cacheWrite?":"number","longPrompt?":["[]",{"input":"number","output":"number","cachedInput?":"number","cacheWrite?":"number","aboveTokens":"number"}]}',
  TokenPrices: '{"input":"number","output":"number","cachedInput?":"number","cacheWrite?":"number"}',
  InputKind: '["|","=image","=pdf","=audio","=video"]',
  ToolProfileName: '["|","=own","=anthropic","=openai","=gemini"]',
  PermissionMode: '["|","=plan","=default","=accept-edits","=auto"]',
  Policy: '{"approval":"@ApprovalMode","rules":["[]","@Rule"],"yolo":"boolean"}',
  ApprovalMode: '["|","=permissive","=default","=strict"]',
  Rule: '{"verdict":"@RuleVerdict","tool":"string","command?":"string","path?":"string","protects?":"true","host?":"string","origin?":"string","reason?":"string","risk?":"@RiskLevel","locked?":"true","destructive?":"boolean","expiresAt?":"number","scripts?":["[]","@ScriptContent"],"source":"@RuleSource","text":"string"}',
  RuleVerdict: '["|","=allow","=ask","=deny"]',
  RiskLevel: '["|","=low","=medium","=high"]',
  ScriptContent: '{"path":"string","sha256":"string"}',
  RuleSource: '["|","=built-in","=managed","=user","=project","=environment","=flag","=session","=grant"]',
  TurnLimits:
    '{"maxToolCallsPerBatch":"number","maxToolIterationsPerTurn":"number","maxModelCallsPerTurn":["|","number","null"],"maxCostUsd":["|","number","null"],"maxTokensPerTurn":["|","number","null"],"maxTurnDurationMs":["|","number","null"],"maxToolArgumentsBytes":"number","maxIdenticalCalls":"number","maxParallelReads":"number","maxBytesWrittenPerTurn":["|","number","null"],"maxFilesWrittenPerTurn":["|","number","null"]}',
  RetryPolicy:
    '{"maxAttempts":"number","baseDelayMs":"number","maxDelayMs":"number","jitter":"number","maxRetryAfterMs":"number"}',
  ToolStrategy: '["|","=sequential","=parallel-reads","=review"]',
  AskPolicy: '["|","=ask","=deny"]',
  SandboxSettings:
    '{"isolation":"@Isolation","autoRun":"boolean","withoutIsolation":"@WithoutIsolation","hosts":["[]","string"]}',
  Isolation:
    '["|",{"type":"=enforced"},{"type":"=partial","lacks":["[]","string"]},{"type":"=none","reason":"string"}]',
  WithoutIsolation: '["|","=refuse","=refuse-unless-reported","=ask","=run"]',
  OnUnknown: '["|","=fail","=tell-model","=rerun","=ask"]',
  ToolDefinition:
    '{"name":"string","description":"string","inputSchema":"object","freeform?":"@ToolGrammar","offered?":"@ToolOffer","deferred?":"true","planRole?":"@PlanRole"}',
  ToolGrammar: '{"syntax":"=lark","definition":"string","argument":"string"}',
  ToolOffer: '["|","=plan","=not-plan","=sandboxed-in-plan","=unlisted"]',
  PlanRole: '["|",{"type":"=presents"},{"type":"=writes","argument":"string"}]',
  AgentProfile:
    '{"name":"string","depth":"number","prompt":"string","tools":["|",["[]","string"],"null"],"background?":"true","subagents?":["[]","string"],"compactor?":"string","limits?":["[]","@ToolLimits"]}',
  ToolLimits: '{"by":"string","allow":["[]","@Rule"],"deny":["[]","@Rule"]}',
  PersonaProfile: '{"name":"string","prompt":"string","tools?":["[]","string"],"withoutTools?":["[]","string"]}',
  HookEntry: '{"id":"string","name":"string","by":"@HookOwner","event":"@HookEvent","matcher":"string"}',
  HookOwner: '["|","=user","=program","=workspace"]',
  HookEvent:
    '["|","=SessionStart","=SubagentStart","=BeforeRun","=UserPromptSubmit","=BeforeContextPack","=AfterContextPack","=BeforeModelCall","=AfterModelCall","=PreToolUse","=BeforeSpawnSubagent","=BeforeApplyChanges","=PermissionRequest","=Notification","=OnToolCall","=PostToolUse","=PostToolUseFailure","=AfterApplyChanges","=PreCompact","=PostCompact","=Stop","=SubagentStop","=OnError","=OnAgentError","=AfterRun","=SessionEnd"]',
  SessionPlace:
    '{"projectRoot":"string","trusted":"boolean","policyFiles":["[]",{"path":"string","state":["|","=found","=missing"]}],"warnings":["[]","string"]}',
  TurnRecord:
    '["|",{"type":"=turn-queued","turnId":"@TurnId","content":["[]","@UserContent"],"origin":"@Origin","mode?":"=plan"},{"type":"=queue-changed","turnId":"@TurnId","change":"@QueueOutcome","origin":"@Origin"},{"type":"=turn-steered","turnId":"@TurnId","inputId":"@TurnId","content":["[]","@UserContent"],"origin":"@Origin"},{"type":"=turn-started","turnId":"@TurnId","content":["[]","@UserContent"],"origin":"@Origin","mode?":"=plan","follows?":"@TurnId","plan?":"@PlanToCarryOut","call?":"@ToolCallBlock"},{"type":"=context-packed","turnId":"@TurnId","parts":["[]","@ContextPart"]},{"type":"=turn-ended","turnId":"@TurnId","outcome":"@TurnOutcome","message?":"string","failure?":"@ProviderFailure","rolledBack":"boolean","draft?":["[]","@UserContent"]}]',
  TurnId: '"string"',
  UserContent: '["|",{"type":"=text","text":"string"},"@MediaContent"]',
  MediaContent: '{"type":"=media","mediaType":"string","data":"string","name?":"string"}',
  QueueOutcome:
    '["|",{"type":"=removed"},{"type":"=handed-back","content":["[]","@UserContent"]},{"type":"=replaced","content":["[]","@UserContent"]},{"type":"=moved","before":["|","@TurnId","null"]}]',
  PlanToCarryOut: '{"interactionId":"@InteractionId","digest":"string","clean":"boolean"}',
  InteractionId: '"string"',
  ToolCallBlock:
    '["|",{"type":"=tool-call","callId":"@ToolCallId","name":"string","arguments":"@ToolArguments","signature?":"string","freeform?":"true","written?":"@WrittenCall"}]',
  AssistantBlock:
    '["|",{"type":"=text","text":"string","citations?":["[]","any"],"signature?":"string"},{"type":"=thinking","text":"string","signature?":"string","redacted?":"string"},{"type":"=tool-call","callId":"@ToolCallId","name":"string","arguments":"@ToolArguments","signature?":"string","freeform?":"true","written?":"@WrittenCall"},{"type":"=provider-item","item":"object"}]',
  ToolArguments: '["|",{"type":"=json","value":"object"},{"type":"=malformed","text":"string","problem":"string"}]',
  WrittenCall: '{"name":"string","arguments":"@ToolArguments","freeform?":"true"}',
  ContextPart: '{"name":"string","text":"string","refused?":{"bytes":"number","reason":"string"}}',
  TurnOutcome:
    '["|","=done","=proposed","=error","=tool-denied","=limit-reached","=loop-detected","=provider-failed","=outcome-unknown","=parked","=timeout","=interrupted","=terminated"]',
  ProviderFailure:
    '{"code":["|","=provider.http","=provider.context","=provider.network","=provider.stream","=provider.timeout","=provider.unavailable","=provider.protocol","=provider.auth"],"provider":"string","message":"string","status?":"number","vendorCode?":"string","requestId?":"string","retryable":"boolean","retryAfterMs?":"number","hint?":"string"}',
  StepRecord:
    '["|",{"type":"=step-started","stepId":"@StepId","turnId":"@TurnId","attempt":"number","model":"string"},{"type":"=text-delta","stepId":"@StepId","delta":"string"},{"type":"=thinking-delta","stepId":"@StepId","delta":"string"},{"type":"=tool-arguments-delta","stepId":"@StepId","index":"number","name":"string","delta":"string"},{"type":"=step-retrying","stepId":"@StepId","attempt":"number","failure":"@ProviderFailure","delayMs":"number"},{"type":"=step-completed","stepId":"@StepId","message":"@AssistantMessage","reason":"@FinishReason","usage":"@Usage","costUsd":["|","number","null"],"responseId?":"string"},{"type":"=step-abandoned","stepId":"@StepId","cause":["|","=failed","=cancelled","=process-died"],"text":"string","thinking?":"string","failure?":"@ProviderFailure"}]',
  StepId: '"string"',
  AssistantMessage:
    '{"role":"=assistant","origin":"@ModelOrigin","words?":"@ToolProfileName","content":["[]","@AssistantBlock"]}',
  ModelOrigin: '{"provider":"string","model":"string","wire":"string"}',
  FinishReason: '["|","=stop","=tool-calls","=length","=content-filter","=refusal","=pause","=other"]',
  Usage:
    '{"inputTokens":"number","cachedInputTokens":"number","cacheWriteTokens":"number","outputTokens":"number","reasoningTokens":"number"}',
  ToolRecord:
    '["|",{"type":"=tool-decided","callId":"@ToolCallId","action":"@Action","judgement":"@Judgement"},{"type":"=tool-deferred","callId":"@ToolCallId"},{"type":"=tool-started","callId":"@ToolCallId","digest":"string","settle":"@SettleEvidence","checkpoint?":"@Checkpoint"},{"type":"=tool-probed","callId":"@ToolCallId","finding":"@Finding","effects":["[]","@FileEffect"]},{"type":"=tool-restarted","callId":"@ToolCallId","reason":["|","=untouched","=chosen"]},{"type":"=tool-output-delta","callId":"@ToolCallId","stream":["|","=stdout","=stderr"],"delta":"string"},{"type":"=tool-finished","callId":"@ToolCallId","outcome":"@ToolOutcome","changes":["[]","@FileChange"],"observed":["[]","@FileObservation"],"durationMs":"number","effects?":["[]","@FileEffect"],"proposed?":["[]","@FileEffect"],"limits?":"@ToolLimits","spent?":"@Spent"},{"type":"=tool-effects","turnId":"@TurnId","callId":"@ToolCallId","effects":["[]","@FileEffect"]}]',
  Action:
    '{"tool":"string","arguments":"object","effect":"@EffectClass","risk":"@RiskLevel","paths":["[]","@PathUse"],"command?":"@CommandUse","network?":"@NetworkUse","session?":"@SessionCall","files?":["[]","@FileEvidence"],"proposes?":["|","=together","=apart"],"notes?":["[]","string"],"summary":"string","digest":"string"}',
  EffectClass: '["|","=read","=write","=execute","=delegate","=session"]',
  PathUse: '{"real":"string","shown":"string","access":["|","=read","=write","=delete"],"governs?":"true"}',
  CommandUse:
    '{"form":"@CommandForm","cwd":"string","timeoutMs":"number","confinement":"@Confinement","scripts":["[]","@ScriptContent"],"nested":["[]","@NestedCommand"]}',
  CommandForm: '["|",{"type":"=argv","argv":["[]","string"]},{"type":"=script","script":"string","shell":"string"}]',
  Confinement:
    '["|",{"type":"=sandbox","workspace":"@WorkspaceReach","hosts":["[]","string"],"writable":["[]","string"]},{"type":"=none","asked?":"string"}]',
  WorkspaceReach: '["|","=write","=build","=read","=copy"]',
  NestedCommand: '{"words":["[]","string"],"via?":"string"}',
  NetworkUse: '{"host":"string","path":"string","carries?":"string"}',
  SessionCall:
    '["|",{"type":"=ask-user","questions":["[]","@Question"]},{"type":"=exit-plan-mode","plan":"string","source":"@PlanSource"},{"type":"=update-plan","tasks":["[]","@Task"],"list?":"string"},{"type":"=find-tools","query":"string","found":["[]","string"],"more":"number"}]',
  Question:
    '{"question":"string","options":["[]",{"label":"string","description?":"string"}],"multiple":"boolean","context?":"string","defaults?":["[]","string"],"timeoutMs?":"number"}',
  PlanSource: '["|","=file","=written","=argument","=said","=none"]',
  Task: '{"step":"string","status":["|","=pending","=in-progress","=done"],"blocked?":"true","list?":"string"}',
  FileEvidence: '{"path":"string","before":["|","string","null"],"after":["|","string","null"],"afterBytes?":"number"}',
  Judgement: '{"verdict":"@RuleVerdict","reason":"string","rule?":"@Rule","warnings?":["[]","string"]}',
  SettleEvidence: '{"files":["[]","@FileEvidence"],"runId?":"string"}',
  Checkpoint:
    '{"kept":["|",{"type":"=files","files":["[]",{"path":"string","version":["|","@FileVersion","null"]}]},{"type":"=trees","trees":["[]",{"root":"string","tree":"string"}]}],"left":["[]","string"]}',
  FileVersion: '{"blob":"string","mode":"string"}',
  Finding:
    '["|",{"type":"=ended","outcome":["|",{"type":"=done","content":"string","details?":"any","media?":["[]","@MediaContent"]},{"type":"=failed","code":"string","content":"string","details?":"any"}],"changes":["[]","@FileChange"],"observed":["[]","@FileObservation"]},{"type":"=untouched","text":"string"},{"type":"=in-doubt","text":"string"}]',
  ToolOutcome:
    '["|",{"type":"=done","content":"string","details?":"any","media?":["[]","@MediaContent"]},{"type":"=failed","code":"string","content":"string","details?":"any"},{"type":"=rejected","code":"string","content":"string"},{"type":"=denied","by":"@DeniedBy","content":"string","code?":"string","passesWith?":"@PassesWith"},{"type":"=cancelled","content":"string"},{"type":"=unknown","content":"string"},{"type":"=proposed","content":"string","details?":"any"}]',
  DeniedBy: '["|","=policy","=path","=user","=unattended"]',
  PassesWith: '["|",{"type":"=mode","mode":"=accept-edits"},{"type":"=rule","rule":"string"}]',
  FileChange:
    '{"path":"string","kind":["|","=created","=modified","=deleted"],"addedLines":"number","removedLines":"number","diff?":"string"}',
  FileObservation: '{"path":"string","sha256":"string"}',
  FileEffect: '{"path":"string","before":["|","@FileVersion","null"],"after":["|","@FileVersion","null"]}',
  Spent: '{"modelCalls":"number","usage":"@Usage","costUsd":["|","number","null"]}',
  InteractionRecord:
    '["|",{"type":"=interaction-opened","interaction":"@Interaction","turnId":"@TurnId"},{"type":"=interaction-resolved","interactionId":"@InteractionId","answer":"@InteractionEnd","origin":"@Origin","answerId?":"string"},{"type":"=grant-added","grant":"@Grant"},{"type":"=grant-revoked","grantId":"string"},{"type":"=call-edited","callId":"@ToolCallId","arguments":"object"}]',
  Interaction:
    '{"id":"@InteractionId","request":"@InteractionRequest","digest":"string","openedAt":"number","expiresAt":["|","number","null"],"origin":"@Origin","answerers":["[]","string"]}',
  InteractionRequest:
    '["|",{"type":"=approval","callId":"@ToolCallId","action":"@Action","reason":"string","risk":"@RiskLevel","warnings":["[]","string"],"changes?":["[]","@FileChange"],"remembered?":"@Remembered","grant?":"@Rule","workspaceOffer?":"true"},{"type":"=question","callId":"@ToolCallId","questions":["[]","@Question"],"asker?":"string"},{"type":"=plan-review","callId":"@ToolCallId","plan":"string"},{"type":"=budget","limit":"string","used":"number","allowed":"number"},{"type":"=recovery","calls":["[]","@CallInDoubt"]}]',
  Remembered: '{"what":["|","=file","=family","=command","=host","=tool"],"rule":"@Rule"}',
  CallInDoubt: '{"callId":"@ToolCallId","action":"@Action","finding?":"string","changed?":["[]","string"]}',
  InteractionEnd: '["|","@InteractionAnswer",{"type":"=void"},{"type":"=expired"}]',
  InteractionAnswer:
    '["|",{"type":"=approve","digest":"string","scope?":"@ApprovalScope"},{"type":"=edit","digest":"string","arguments":"object"},{"type":"=deny","message?":"string"},{"type":"=reply","answers":["[]",["[]","string"]]},{"type":"=plan","digest":"string","decision":["|","=proceed","=proceed-clean","=adjust","=cancel"],"mode?":["|","=default","=accept-edits","=auto"],"message?":"string"},{"type":"=continue"},{"type":"=stop"},{"type":"=accept-as-done"},{"type":"=run-again"},{"type":"=undo"},{"type":"=tell-model"},{"type":"=discard"}]',
  ApprovalScope: '["|","@GrantScope","=workspace"]',
  GrantScope: '["|","=once","=session","=always"]',
  Grant:
    '{"id":"string","rule":"@Rule","scope":["|","=session","=always"],"grantedAt":"number","sessionId":"@SessionId","interactionId":"@InteractionId","cwd?":"string"}',
  CompactionRecord:
    '["|",{"type":"=compaction-started","stepId":"@StepId","messageCount":"number","attempt":"number","submissionId?":"string","turnId?":"@TurnId","reason?":"@CompactionReason","model?":"string"},{"type":"=summary-started","stepId":"@StepId","messageCount":"number","attempt":"number","model":"string","mayCostUsd?":"number"},{"type":"=summary-made","stepId":"@StepId","summary":"string","messageCount":"number","usage":"@Usage","costUsd":["|","number","null"],"kept?":["[]","@KeptWords"],"by?":"=rules","compactor?":"string","tokens?":{"before":"number","after":"number"}},{"type":"=summary-dropped","stepId":"@StepId","message":"string","usage?":"@Usage","costUsd?":["|","number","null"]},{"type":"=compaction-completed","stepId":"@StepId","summary":"string","messageCount":"number","usage":"@Usage","costUsd":["|","number","null"],"kept?":["[]","@KeptWords"],"by?":"=rules","compactor?":"string","tokens?":{"before":"number","after":"number"}},{"type":"=compaction-failed","stepId":"@StepId","message":"string","usage?":"@Usage","costUsd?":["|","number","null"]},{"type":"=compaction-selected","stepId":["|","@StepId","null"],"reason":"@SelectionReason","origin?":"@Origin","submissionId?":"string"},{"type":"=compaction-edited","stepId":"@StepId","summary":"string","origin":"@Origin","submissionId?":"string"},{"type":"=results-shortened","messageCount":"number","characters":"number"},{"type":"=results-kept","files":["[]",{"callId":"@ToolCallId","path":["|","string","null"]}]}]',
  CompactionReason: '["|","=asked","=budget","=overflow"]',
  KeptWords: '{"kind":["|","=first-request","=request","=constraint","=decision","=failed"],"text":"string"}',
  SelectionReason: '["|","=smaller-window","=larger-window","=undone","=redone"]',
  RewindRecord:
    '["|",{"type":"=rewind-started","rewindId":"string","direction":["|","=back","=forth"],"keepTurns":"number","conversation":"boolean","files":["[]","@FileEffect"],"origin":"@Origin","submissionId?":"string"},{"type":"=rewind-finished","rewindId":"string","restored":["[]","@FileEffect"],"conflicts":["[]","@FileConflict"]}]',
  FileConflict: '{"path":"string","reason":"string"}',
  ProposalRecord:
    '["|",{"type":"=proposals-applying","applyId":"string","chosen":["[]","@ProposedFile"],"files":["[]","@FileEffect"],"left":["[]","@FileConflict"],"origin":"@Origin","submissionId?":"string"},{"type":"=proposals-applied","applyId":"string","applied":["[]","@FileEffect"],"conflicts":["[]","@FileConflict"]},{"type":"=proposals-refused","refused":["[]","@ProposedFile"],"origin":"@Origin","submissionId?":"string"}]',
  ProposedFile: '{"proposal":"string","path":"string"}',
  HookRecord:
    '["|",{"type":"=hook-started","runId":"string","event":"@HookEvent","key":"string","hooks":["[]","@HookName"],"turnId?":"@TurnId","callId?":"@ToolCallId"},{"type":"=hook-finished","runId":"string","event":"@HookEvent","outcomes":["[]","@HookOutcome"],"answer":"@HookAnswer"}]',
  HookName: '{"id":"string","name":"string","by":"@HookOwner"}',
  HookOutcome:
    '{"id":"string","name":"string","by":"@HookOwner","result":"@HookResult","message?":"string","durationMs":"number"}',
  HookResult: '["|","=passed","=blocked","=failed","=timed-out","=not-run","=skipped","=unknown","=cancelled"]',
  HookAnswer:
    '{"verdict?":"@HookVerdict","arguments?":"object","context?":["[]","string"],"result?":"string","block?":"string","stop?":"string"}',
  HookVerdict: '{"verdict":"@RuleVerdict","reason":"string","by":"@HookOwner"}',
  NoticeRecord:
    '{"type":"=notice","level":["|","=info","=warning","=error"],"code":"string","text":"string","submissionId?":"string"}',
} as const;
