/** Lists every rule, in the order of the documentation. A new rule is a file beside this one and a line here. */
import { addressSpaceCast } from "./common/address-space-cast.ts";
import { addressSpaceConversion } from "./common/address-space-conversion.ts";
import { addressSpaceOperands } from "./common/address-space-operands.ts";
import { builtinArgumentNotConstant } from "./common/builtin-argument-not-constant.ts";
import { constObjectCall } from "./common/const-object-call.ts";
import { constWrite } from "./common/const-write.ts";
import { constantMemoryDivergentIndex } from "./common/constant-memory-divergent-index.ts";
import { pollingWithoutVolatile } from "./common/polling-without-volatile.ts";
import { qualifierDiscarded } from "./common/qualifier-discarded.ts";
import { qualifierOperands } from "./common/qualifier-operands.ts";
import { restrictAlias } from "./common/restrict-alias.ts";
import { unusedSuppression } from "./common/unused-suppression.ts";
import { architectureDependentConstant } from "./cuda/architecture-dependent-constant.ts";
import { constHostVariableAddress } from "./cuda/const-host-variable-address.ts";
import { constHostVariableType } from "./cuda/const-host-variable-type.ts";
import { constHostVariableUninitialized } from "./cuda/const-host-variable-uninitialized.ts";
import { constHostVariableVolatile } from "./cuda/const-host-variable-volatile.ts";
import { constObjectUninitialized } from "./cuda/const-object-uninitialized.ts";
import { constantMemoryChangedBehindLaunch } from "./cuda/constant-memory-changed-behind-launch.ts";
import { constantMemoryNeverWritten } from "./cuda/constant-memory-never-written.ts";
import { constantMemoryScalar } from "./cuda/constant-memory-scalar.ts";
import { constantMemorySize } from "./cuda/constant-memory-size.ts";
import { constantMemoryWritten } from "./cuda/constant-memory-written.ts";
import { deviceAccessOfHostPointer } from "./cuda/device-access-of-host-pointer.ts";
import { deviceFunctionInHostCode } from "./cuda/device-function-in-host-code.ts";
import { deviceLambdaCapture } from "./cuda/device-lambda-capture.ts";
import { deviceValueNotConstant } from "./cuda/device-value-not-constant.ts";
import { escapingAddress } from "./cuda/escaping-address.ts";
import { executionSpaceMismatch } from "./cuda/execution-space-mismatch.ts";
import { extendedLambdaPlacement } from "./cuda/extended-lambda-placement.ts";
import { globalMemoryUniformTable } from "./cuda/global-memory-uniform-table.ts";
import { gridConstantArchitecture } from "./cuda/grid-constant-architecture.ts";
import { gridConstantCandidate } from "./cuda/grid-constant-candidate.ts";
import { gridConstantMismatch } from "./cuda/grid-constant-mismatch.ts";
import { gridConstantNonConst } from "./cuda/grid-constant-non-const.ts";
import { gridConstantPlacement } from "./cuda/grid-constant-placement.ts";
import { gridConstantReference } from "./cuda/grid-constant-reference.ts";
import { gridConstantWritten } from "./cuda/grid-constant-written.ts";
import { hostAccessOfDeviceSymbol } from "./cuda/host-access-of-device-symbol.ts";
import { hostConstructInDeviceCode } from "./cuda/host-construct-in-device-code.ts";
import { hostFunctionInDeviceCode } from "./cuda/host-function-in-device-code.ts";
import { hostVariableInDeviceCode } from "./cuda/host-variable-in-device-code.ts";
import { invalidLaunch } from "./cuda/invalid-launch.ts";
import { kernelParameterObject } from "./cuda/kernel-parameter-object.ts";
import { kernelParameterReference } from "./cuda/kernel-parameter-reference.ts";
import { kernelParameterSize } from "./cuda/kernel-parameter-size.ts";
import { kernelSignature } from "./cuda/kernel-signature.ts";
import { kernelTypeArgument } from "./cuda/kernel-type-argument.ts";
import { launchBoundsMismatch } from "./cuda/launch-bounds-mismatch.ts";
import { launchConfiguration } from "./cuda/launch-configuration.ts";
import { loopBoundNotConstant } from "./cuda/loop-bound-not-constant.ts";
import { memorySpaceCombination } from "./cuda/memory-space-combination.ts";
import { memorySpaceInitializer } from "./cuda/memory-space-initializer.ts";
import { memorySpacePlacement } from "./cuda/memory-space-placement.ts";
import { memorySpaceRedeclared } from "./cuda/memory-space-redeclared.ts";
import { memoryWindowMismatch } from "./cuda/memory-window-mismatch.ts";
import { sharedExternDeclaration } from "./cuda/shared-extern-declaration.ts";
import { sharedMemoryInitializer } from "./cuda/shared-memory-initializer.ts";
import { sharedMemorySize } from "./cuda/shared-memory-size.ts";
import { templateArgumentNotConstant } from "./cuda/template-argument-not-constant.ts";
import { tensorMapParameter } from "./cuda/tensor-map-parameter.ts";
import { tileCodeCall } from "./cuda/tile-code-call.ts";
import { wholeProgramExtern } from "./cuda/whole-program-extern.ts";
import { accessQualifierPlacement } from "./opencl/access-qualifier-placement.ts";
import { addressSpaceGenericNarrowed } from "./opencl/address-space-generic-narrowed.ts";
import { addressSpaceLaundered } from "./opencl/address-space-laundered.ts";
import { addressSpaceNestedPointer } from "./opencl/address-space-nested-pointer.ts";
import { addressSpacePlacement } from "./opencl/address-space-placement.ts";
import { addressSpaceReservedName } from "./opencl/address-space-reserved-name.ts";
import { arrayParameterSpace } from "./opencl/array-parameter-space.ts";
import { atomicObjectOperation } from "./opencl/atomic-object-operation.ts";
import { barrierMemoryMismatch } from "./opencl/barrier-memory-mismatch.ts";
import { blockCapture } from "./opencl/block-capture.ts";
import { builtinArgumentSpace } from "./opencl/builtin-argument-space.ts";
import { constantArgumentCount } from "./opencl/constant-argument-count.ts";
import { constantBufferSize } from "./opencl/constant-buffer-size.ts";
import { constantFromConstant } from "./opencl/constant-from-constant.ts";
import { constantInitializer } from "./opencl/constant-initializer.ts";
import { constantWrite } from "./opencl/constant-write.ts";
import { declarationMismatch } from "./opencl/declaration-mismatch.ts";
import { doubleLiteral } from "./opencl/double-literal.ts";
import { doubleWithoutExtension } from "./opencl/double-without-extension.ts";
import { enqueuedBlock } from "./opencl/enqueued-block.ts";
import { genericPointerUnassociated } from "./opencl/generic-pointer-unassociated.ts";
import { halfWithoutExtension } from "./opencl/half-without-extension.ts";
import { imageTypeQualified } from "./opencl/image-type-qualified.ts";
import { kernelArgumentSize } from "./opencl/kernel-argument-size.ts";
import { kernelParameterSpace } from "./opencl/kernel-parameter-space.ts";
import { localInitializer } from "./opencl/local-initializer.ts";
import { localMemorySize } from "./opencl/local-memory-size.ts";
import { localScopeSpace } from "./opencl/local-scope-space.ts";
import { methodObjectSpace } from "./opencl/method-object-space.ts";
import { opaqueTypeOperation } from "./opencl/opaque-type-operation.ts";
import { opaqueTypeSpace } from "./opencl/opaque-type-space.ts";
import { pipeArgument } from "./opencl/pipe-argument.ts";
import { pointerSizeAssumption } from "./opencl/pointer-size-assumption.ts";
import { pointerTypeMismatch } from "./opencl/pointer-type-mismatch.ts";
import { programScopeSpace } from "./opencl/program-scope-space.ts";
import { restrictWithoutPointer } from "./opencl/restrict-without-pointer.ts";
import { restrictedConstruct } from "./opencl/restricted-construct.ts";
import { stringLiteralSpace } from "./opencl/string-literal-space.ts";
import { unavailableFeature } from "./opencl/unavailable-feature.ts";
import type { Rule } from "./rule.ts";

/** Every rule, in the order of the documentation. */
export const rules: readonly Rule[] = [
  addressSpaceCast,
  addressSpaceConversion,
  addressSpaceNestedPointer,
  addressSpaceOperands,
  stringLiteralSpace,
  addressSpacePlacement,
  addressSpaceReservedName,
  declarationMismatch,
  kernelParameterSpace,
  arrayParameterSpace,
  programScopeSpace,
  localScopeSpace,
  localInitializer,
  constantInitializer,
  constantFromConstant,
  constantWrite,
  constWrite,
  qualifierDiscarded,
  qualifierOperands,
  opaqueTypeSpace,
  opaqueTypeOperation,
  accessQualifierPlacement,
  atomicObjectOperation,
  unavailableFeature,
  restrictedConstruct,
  restrictWithoutPointer,
  halfWithoutExtension,
  doubleWithoutExtension,
  doubleLiteral,
  imageTypeQualified,
  pointerTypeMismatch,
  pipeArgument,
  enqueuedBlock,
  blockCapture,
  builtinArgumentNotConstant,
  builtinArgumentSpace,
  barrierMemoryMismatch,
  methodObjectSpace,
  addressSpaceLaundered,
  addressSpaceGenericNarrowed,
  genericPointerUnassociated,
  pointerSizeAssumption,
  constantArgumentCount,
  constantBufferSize,
  localMemorySize,
  kernelArgumentSize,
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
  hostConstructInDeviceCode,
  hostFunctionInDeviceCode,
  deviceFunctionInHostCode,
  hostVariableInDeviceCode,
  deviceLambdaCapture,
  extendedLambdaPlacement,
  constantMemoryWritten,
  unusedSuppression,
  constantMemoryDivergentIndex,
  globalMemoryUniformTable,
  restrictAlias,
  constantMemoryScalar,
  loopBoundNotConstant,
  templateArgumentNotConstant,
  deviceValueNotConstant,
  hostAccessOfDeviceSymbol,
  architectureDependentConstant,
  deviceAccessOfHostPointer,
  memorySpacePlacement,
  memorySpaceCombination,
  memorySpaceRedeclared,
  memoryWindowMismatch,
  pollingWithoutVolatile,
  escapingAddress,
  memorySpaceInitializer,
  sharedMemoryInitializer,
  sharedExternDeclaration,
  sharedMemorySize,
  launchConfiguration,
  wholeProgramExtern,
  constantMemoryNeverWritten,
  constantMemoryChangedBehindLaunch,
  constantMemorySize,
  invalidLaunch,
  kernelSignature,
  kernelTypeArgument,
  kernelParameterSize,
  kernelParameterReference,
  kernelParameterObject,
  executionSpaceMismatch,
  tileCodeCall,
  launchBoundsMismatch,
];
