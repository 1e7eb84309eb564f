import com.apollographql.apollo.compiler.ApolloCompiler
import com.apollographql.apollo.compiler.CodegenSchemaOptions
import com.apollographql.apollo.compiler.buildCodegenOptions
import com.apollographql.apollo.compiler.buildIrOptions
import com.apollographql.apollo.compiler.codegen.writeTo
import com.apollographql.apollo.compiler.toInputFiles
import java.io.File

/** What Apollo's plugin of Gradle does, for a build by Maven: schema and operations become Kotlin. */
fun main() {
  ApolloCompiler.buildSchemaAndOperationsSources(
    schemaFiles = listOf(File("schema.graphql")).toInputFiles(),
    executableFiles = listOf(File("operations.graphql")).toInputFiles(),
    codegenSchemaOptions = CodegenSchemaOptions(
      scalarTypeMapping = mapOf("DateTime" to "kotlin.String", "YAML" to "kotlin.String"),
      scalarAdapterMapping = emptyMap(),
      generateDataBuilders = false,
    ),
    irOptions = buildIrOptions(),
    codegenOptions = buildCodegenOptions(packageName = "slipway"),
    layoutFactory = null,
    operationIdsGenerator = null,
    irOperationsTransform = null,
    javaOutputTransform = null,
    kotlinOutputTransform = null,
    documentTransform = null,
    schemaDocumentTransform = null,
    logger = null,
    operationManifestFile = null,
  ).writeTo(File("target/generated"), true, null)
}
