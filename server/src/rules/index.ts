/** Every rule, in the order of the documentation. A new rule is a file beside this one and a line here. */
import { accessQualifierPlacement } from "./access-qualifier-placement.ts";
import { addressSpaceCast } from "./address-space-cast.ts";
import { addressSpaceConversion } from "./address-space-conversion.ts";
import { addressSpaceGenericNarrowed } from "./address-space-generic-narrowed.ts";
import { addressSpaceLaundered } from "./address-space-laundered.ts";
import { addressSpaceNestedPointer } from "./address-space-nested-pointer.ts";
import { addressSpaceOperands } from "./address-space-operands.ts";
import { addressSpacePlacement } from "./address-space-placement.ts";
import { addressSpaceReservedName } from "./address-space-reserved-name.ts";
import { atomicObjectOperation } from "./atomic-object-operation.ts";
import { blockCapture } from "./block-capture.ts";
import { builtinArgumentSpace } from "./builtin-argument-space.ts";
import { constHostVariableAddress } from "./const-host-variable-address.ts";
import { constHostVariableType } from "./const-host-variable-type.ts";
import { constHostVariableUninitialized } from "./const-host-variable-uninitialized.ts";
import { constHostVariableVolatile } from "./const-host-variable-volatile.ts";
import { constObjectCall } from "./const-object-call.ts";
import { constObjectUninitialized } from "./const-object-uninitialized.ts";
import { constWrite } from "./const-write.ts";
import { constantArgumentCount } from "./constant-argument-count.ts";
import { constantBufferSize } from "./constant-buffer-size.ts";
import { constantInitializer } from "./constant-initializer.ts";
import { constantMemoryDivergentIndex } from "./constant-memory-divergent-index.ts";
import { constantMemoryNeverWritten } from "./constant-memory-never-written.ts";
import { constantMemoryScalar } from "./constant-memory-scalar.ts";
import { constantMemorySize } from "./constant-memory-size.ts";
import { constantMemoryWritten } from "./constant-memory-written.ts";
import { constantWrite } from "./constant-write.ts";
import { deviceAccessOfHostPointer } from "./device-access-of-host-pointer.ts";
import { deviceLambdaCapture } from "./device-lambda-capture.ts";
import { enqueuedBlock } from "./enqueued-block.ts";
import { executionSpaceMismatch } from "./execution-space-mismatch.ts";
import { gridConstantArchitecture } from "./grid-constant-architecture.ts";
import { gridConstantCandidate } from "./grid-constant-candidate.ts";
import { gridConstantMismatch } from "./grid-constant-mismatch.ts";
import { gridConstantNonConst } from "./grid-constant-non-const.ts";
import { gridConstantPlacement } from "./grid-constant-placement.ts";
import { gridConstantReference } from "./grid-constant-reference.ts";
import { gridConstantWritten } from "./grid-constant-written.ts";
import { halfWithoutExtension } from "./half-without-extension.ts";
import { hostAccessOfDeviceSymbol } from "./host-access-of-device-symbol.ts";
import { hostVariableInDeviceCode } from "./host-variable-in-device-code.ts";
import { kernelParameterObject } from "./kernel-parameter-object.ts";
import { kernelParameterReference } from "./kernel-parameter-reference.ts";
import { kernelParameterSize } from "./kernel-parameter-size.ts";
import { kernelParameterSpace } from "./kernel-parameter-space.ts";
import { kernelSignature } from "./kernel-signature.ts";
import { launchBoundsMismatch } from "./launch-bounds-mismatch.ts";
import { localInitializer } from "./local-initializer.ts";
import { localScopeSpace } from "./local-scope-space.ts";
import { loopBoundNotConstant } from "./loop-bound-not-constant.ts";
import { memorySpaceCombination } from "./memory-space-combination.ts";
import { memorySpaceInitializer } from "./memory-space-initializer.ts";
import { memorySpacePlacement } from "./memory-space-placement.ts";
import { memorySpaceRedeclared } from "./memory-space-redeclared.ts";
import { methodObjectSpace } from "./method-object-space.ts";
import { opaqueTypeOperation } from "./opaque-type-operation.ts";
import { opaqueTypeSpace } from "./opaque-type-space.ts";
import { pipeArgument } from "./pipe-argument.ts";
import { pointerSizeAssumption } from "./pointer-size-assumption.ts";
import { programScopeSpace } from "./program-scope-space.ts";
import { qualifierDiscarded } from "./qualifier-discarded.ts";
import { restrictWithoutPointer } from "./restrict-without-pointer.ts";
import { restrictedConstruct } from "./restricted-construct.ts";
import type { Rule } from "./rule.ts";
import { sharedExternDeclaration } from "./shared-extern-declaration.ts";
import { sharedMemoryInitializer } from "./shared-memory-initializer.ts";
import { stringLiteralSpace } from "./string-literal-space.ts";
import { templateArgumentNotConstant } from "./template-argument-not-constant.ts";
import { tensorMapParameter } from "./tensor-map-parameter.ts";
import { unavailableFeature } from "./unavailable-feature.ts";
import { unusedSuppression } from "./unused-suppression.ts";
import { wholeProgramExtern } from "./whole-program-extern.ts";

export const rules: readonly Rule[] = [
  addressSpaceCast,
  addressSpaceConversion,
  addressSpaceNestedPointer,
  addressSpaceOperands,
  stringLiteralSpace,
  addressSpacePlacement,
  addressSpaceReservedName,
  kernelParameterSpace,
  programScopeSpace,
  localScopeSpace,
  localInitializer,
  constantInitializer,
  constantWrite,
  constWrite,
  qualifierDiscarded,
  opaqueTypeSpace,
  opaqueTypeOperation,
  accessQualifierPlacement,
  atomicObjectOperation,
  unavailableFeature,
  restrictedConstruct,
  restrictWithoutPointer,
  halfWithoutExtension,
  pipeArgument,
  enqueuedBlock,
  blockCapture,
  builtinArgumentSpace,
  methodObjectSpace,
  addressSpaceLaundered,
  addressSpaceGenericNarrowed,
  pointerSizeAssumption,
  constantArgumentCount,
  constantBufferSize,
  gridConstantNonConst,
  gridConstantReference,
  gridConstantPlacement,
  gridConstantMismatch,
  gridConstantWritten,
  gridConstantArchitecture,
  gridConstantCandidate,
  tensorMapParameter,
  constObjectCall,
  constObjectUninitialized,
  constHostVariableAddress,
  constHostVariableUninitialized,
  constHostVariableType,
  constHostVariableVolatile,
  hostVariableInDeviceCode,
  deviceLambdaCapture,
  constantMemoryWritten,
  unusedSuppression,
  constantMemoryDivergentIndex,
  constantMemoryScalar,
  loopBoundNotConstant,
  templateArgumentNotConstant,
  hostAccessOfDeviceSymbol,
  deviceAccessOfHostPointer,
  memorySpacePlacement,
  memorySpaceCombination,
  memorySpaceRedeclared,
  memorySpaceInitializer,
  sharedMemoryInitializer,
  sharedExternDeclaration,
  wholeProgramExtern,
  constantMemoryNeverWritten,
  constantMemorySize,
  kernelSignature,
  kernelParameterSize,
  kernelParameterReference,
  kernelParameterObject,
  executionSpaceMismatch,
  launchBoundsMismatch,
];
